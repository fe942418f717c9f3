/// What the clusters of a start must hold, whatever their phases, for it to be looked at: sums over them in units of the noise.
struct ClusterGate: Sendable {
    /// Frames of more clusters than this have many, and stricter thresholds.
    static let manyClusters = 12

    /// Where there may be rooms without a path that stands out, and where there may not; where a frame is covered, where there is little energy, and much.
    private let rooms: Float
    private let direct: Float
    private let covered: Float
    private let little: Float
    private let likely: Float
    /// In bins that are searched for strong frames only.
    let strong: Float

    init(plan: BurstPlan, clusterCount: Int) {
        let thresholds = Thresholds.dsss
        let quantile = ClusterGate.quantile(plan, clusterCount)
        let shape = clusterCount * plan.segmentCount
        func gate(_ normal: Float) -> Float { TailProbability.gammaQuantile(normal: normal, shape: shape) }
        (rooms, direct) = (gate(quantile.rooms), gate(quantile.direct))
        covered = gate(thresholds.coveredGate)
        little = gate(quantile.direct + (plan.segmentCount == 1 ? thresholds.littleEnergyGate : 0))
        likely = gate(quantile.direct + thresholds.muchEnergyGate)
        strong = thresholds.strongGate * Float(clusterCount)
    }

    /// - Parameter mayBeRooms: whether any of the starts searched have energy for one.
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
        if plan.combinesRepeats { return (thresholds.repeatGate, thresholds.repeatGate) }
        if plan.segmentCount > 1 { return (thresholds.burstRoomGate, thresholds.burstGate) }
        let single = clusterCount > manyClusters ? thresholds.manyClusterGate : thresholds.fewClusterGate
        return (single, single)
    }
}
