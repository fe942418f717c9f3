/// Times and limits of whoever matches tokens.
public struct RegistrySettings: Sendable, Hashable {
    /// A token may be broadcast for so long; the engine asks for another one before.
    public var tokenLife = Duration.seconds(600)
    /// An observation of a token counts for so long after the token's life: sound and reports take time.
    public var grace = Duration.seconds(10)
    /// Two devices that do not hear each other any more are near for so long after they last did…
    public var shortestLoss = Duration.milliseconds(13_500)
    /// …and for so many of the broadcaster's frames, if that is longer: in a crowd everyone's turn comes late.
    public var missedFrames = 4
    /// …but never longer: a broadcaster cannot make itself near for as long as it likes.
    public var longestLoss = Duration.seconds(120)
    /// A device that does not report for so long has left, and what it publishes without a time to live of its own has ended:
    /// each report renews it. Whoever does not hear it any more loses it long before.
    public var deviceLife = Duration.seconds(300)
    /// Devices that got no answer try again after at most so long. After a stall nobody is lost before that.
    public var longestRetry = Duration.seconds(30)

    /// The standard values; with its own, an engine changes its tokens well before ``tokenLife`` is over.
    public init() {}
}
