/// The gates that the clusters of a start must pass, without regard to their phases, for a closer look: sums
/// over clusters in units of the noise.
struct ClusterGate: Sendable {
    /// Frames of more clusters than this count as frames of many clusters, and have stricter thresholds.
    static let manyClusters = 12

    /// The gates: if there may be rooms without a path that stands out, and if there may not; where a frame
    /// is covered; where there is little energy, and where there is much.
    private let rooms: Float
    private let direct: Float
    private let covered: Float
    private let little: Float
    private let likely: Float
    /// The gate in bins that are searched for strong frames only.
    let strong: Float

    init(plan: BurstPlan, clusterCount: Int) {
        let thresholds = Thresholds.dsss
        let quantile = ClusterGate.quantile(plan, clusterCount)
        let shape = clusterCount * plan.lookCount
        func gate(_ normal: Float) -> Float { TailProbability.gammaQuantile(normal: normal, shape: shape) }
        (rooms, direct) = (gate(quantile.rooms), gate(quantile.direct))
        covered = gate(thresholds.coveredGate)
        little = gate(quantile.direct + (plan.lookCount == 1 ? thresholds.littleEnergyGate : 0))
        likely = gate(quantile.direct + thresholds.muchEnergyGate)
        strong = thresholds.strongGate * Float(clusterCount)
    }

    /// Returns the gate of starts with an energy.
    ///
    /// - Parameter mayBeRooms: true if any of the searched starts has enough energy for a room.
    func threshold(_ energy: OpenStarts.Energy, mayBeRooms: Bool) -> Float {
        switch energy {
        case .covered: covered
        case .little: little
        case .usual, .unmeasured: mayBeRooms ? rooms : direct
        case .likely: likely
        }
    }

    private static func quantile(_ plan: BurstPlan, _ clusterCount: Int) -> (rooms: Float, direct: Float) {
        let thresholds = Thresholds.dsss
        let hasMany = clusterCount > manyClusters
        if plan.combinesRepeats {
            let pair = hasMany ? thresholds.repeatGate : thresholds.fewRepeatGate
            let gate = plan.segmentCount > 2 ? thresholds.fourRepeatGate : pair
            return (gate, gate)
        }
        if plan.segmentCount > 1 { return (thresholds.burstRoomGate, thresholds.burstGate) }
        let single = hasMany ? thresholds.manyClusterGate : thresholds.fewClusterGate
        return (single, single)
    }
}
