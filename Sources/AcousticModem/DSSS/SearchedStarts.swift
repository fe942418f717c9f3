import Signal

/// Starts that a search has been through, for those that read its candidates.
struct SearchedStarts: Sendable {
    let plan: BurstPlan
    let baseband: BasebandWindow
    /// The starts that were searched, in order, at least one; reference paths may stand beside them.
    let open: [OpenStarts]
    /// Whether there is energy enough for rooms without a path that stands out.
    let mayBeRooms: Bool
    /// Where the starts searched so far end.
    let horizon: SamplePosition

    /// The frames that each candidate is of.
    var frameCount: Int { plan.combinesRepeats ? plan.segmentCount : 1 }
}
