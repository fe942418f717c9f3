/// How a live stream has fared so far.
public struct StreamHealth: Sendable, Hashable {
    /// Times that the device's own buffer ran over or dry, as when the machine was busy.
    public var xruns: Int
    /// Times that the device was opened again after it was lost.
    public var reopenings: Int
    /// Capturing, frames that are missing: those that found no room, and those that sounded while the device stood still, as far as
    /// the clock tells; ``AudioBlock/missingFrames`` has them in their places. Playing, those that were due and not there.
    public var lostFrames: Int
    /// Why the device is lost now; nil while there is one.
    public var loss: String?

    init(_ state: StreamState) {
        (xruns, reopenings, lostFrames) = (state[.xruns], state[.reopenings], state[.lostFrames])
        loss = state[.lossCode] == 0 ? nil : PCMError.text(Int32(state[.lossCode]))
    }
}
