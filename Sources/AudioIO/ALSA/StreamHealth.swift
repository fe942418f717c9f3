/// The events of a live stream so far.
public struct StreamHealth: Sendable, Hashable {
    /// The number of times that the device's own buffer overran or ran dry, as on a busy machine.
    public var xruns: Int
    /// The number of times that the device was opened again after it was lost.
    public var reopenings: Int
    /// When capturing, the number of missing frames: those that found no room, and those that sounded while
    /// the device stood still, as estimated from the clock; ``AudioBlock/missingFrames`` has them in their
    /// places. When playing, the number of frames that were due and not there.
    public var lostFrames: Int
    /// The reason why the device is lost now; `nil` while it is there.
    public var loss: String?

    init(_ state: StreamState) {
        (xruns, reopenings, lostFrames) = (state[.xruns], state[.reopenings], state[.lostFrames])
        loss = state[.lossCode] == 0 ? nil : PCMError.text(Int32(state[.lossCode]))
    }
}
