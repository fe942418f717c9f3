import Signal

/// The starts of a finished search, for the reader of its candidates.
struct SearchedStarts: Sendable {
    let plan: BurstPlan
    /// The baseband of each channel of a band, and the channels that were searched.
    let basebands: [BasebandWindow]
    let channels: ChannelSet
    /// The starts that were searched, in order, at least one; reference paths may stand beside them.
    let open: [OpenStarts]
    /// True if there is enough energy for rooms without a path that stands out.
    let mayBeRooms: Bool
    /// The end of the starts searched so far.
    let horizon: SamplePosition
    /// True if the basebands are what is left of the sound without the frames heard.
    var isResidual = false

    /// The number of frames that each candidate consists of.
    var frameCount: Int { plan.combinesRepeats ? plan.segmentCount : 1 }
}
