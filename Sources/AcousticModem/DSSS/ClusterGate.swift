/// What the clusters of a start must hold, whatever their phases, for it to be looked at: sums over them in units of the noise.
struct ClusterGate: Sendable {
    /// In deviations of noise. Upper 0.5 % of it pass the gate of a single frame, of few clusters 1 %: cells of many cost more, and
    /// twice as many find one frame in 300 more. Combinations gather more energy before they decode, and can be stricter.
    private static let single: (many: Float, few: Float) = (2.6, 2.33)
    static let manyClusters = 12
    /// In rooms pilots stand out less, and there is energy: only then so many cells of a burst are worth it.
    private static let burst: (rooms: Float, direct: Float) = (2.1, 2.5)
    private static let combined: Float = 2.9
    /// Of the mean of noise, in bins that are searched for strong frames only.
    private static let strongShare: Float = 3.5

    /// Where there may be rooms without a path that stands out, and where there may not.
    let rooms: Float
    let direct: Float
    /// In bins that are searched for strong frames only.
    let strong: Float

    init(plan: BurstPlan, clusterCount: Int) {
        let quantile = ClusterGate.quantile(plan, clusterCount)
        let shape = clusterCount * plan.segmentCount
        rooms = TailProbability.gammaQuantile(normal: quantile.rooms, shape: shape)
        direct = TailProbability.gammaQuantile(normal: quantile.direct, shape: shape)
        strong = ClusterGate.strongShare * Float(clusterCount)
    }

    private static func quantile(_ plan: BurstPlan, _ clusterCount: Int) -> (rooms: Float, direct: Float) {
        if plan.combinesRepeats { return (combined, combined) }
        if plan.segmentCount > 1 { return burst }
        let single = clusterCount > manyClusters ? single.many : single.few
        return (single, single)
    }
}
