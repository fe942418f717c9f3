/// What the clusters of a start must hold, whatever their phases, for it to be looked at: sums over them in units of the noise.
struct ClusterGate: Sendable {
    /// In deviations of noise. Upper 0.5 % of it pass the gate of a single frame, of few clusters 1 %: cells of many cost more, and
    /// twice as many find one frame in 300 more. Combinations gather more energy before they decode, and can be stricter.
    private static let single: (many: Float, few: Float) = (2.6, 2.33)
    static let manyClusters = 12
    /// More for a single frame where there is little energy: of 2000 frames at their threshold it loses 5, of pairs it would 15 of 1000. Less
    /// where there is much.
    private static let littleStep: Float = 0.8
    private static let likelyStep: Float = -0.4
    /// In rooms pilots stand out less, and there is energy: only then so many cells of a burst are worth it.
    private static let burst: (rooms: Float, direct: Float) = (2.1, 2.5)
    private static let combined: Float = 2.9
    /// Of the mean of noise, in bins that are searched for strong frames only.
    private static let strongShare: Float = 3.5

    /// Where there may be rooms without a path that stands out, and where there may not; where there is little energy, and much.
    private let rooms: Float
    private let direct: Float
    private let little: Float
    private let likely: Float
    /// In bins that are searched for strong frames only.
    let strong: Float

    init(plan: BurstPlan, clusterCount: Int) {
        let quantile = ClusterGate.quantile(plan, clusterCount)
        let shape = clusterCount * plan.segmentCount
        func gate(_ normal: Float) -> Float { TailProbability.gammaQuantile(normal: normal, shape: shape) }
        (rooms, direct) = (gate(quantile.rooms), gate(quantile.direct))
        little = gate(quantile.direct + (plan.segmentCount == 1 ? ClusterGate.littleStep : 0))
        likely = gate(quantile.direct + ClusterGate.likelyStep)
        strong = ClusterGate.strongShare * Float(clusterCount)
    }

    /// - Parameter mayBeRooms: whether any of the starts searched have energy for one.
    func threshold(_ energy: OpenStarts.Energy, mayBeRooms: Bool) -> Float {
        switch energy {
        case .little: little
        case .usual: mayBeRooms ? rooms : direct
        case .likely: likely
        }
    }

    private static func quantile(_ plan: BurstPlan, _ clusterCount: Int) -> (rooms: Float, direct: Float) {
        if plan.combinesRepeats { return (combined, combined) }
        if plan.segmentCount > 1 { return burst }
        let single = clusterCount > manyClusters ? single.many : single.few
        return (single, single)
    }
}
