/// Times and limits of a registry that matches tokens.
public struct RegistrySettings: Sendable, Hashable {
    /// The time for which a token that is given alone may be broadcast; the engine requests another token
    /// before it ends.
    public var tokenLife = Duration.seconds(600)
    /// The time for which a device gets tokens in advance, if it takes them. Each is valid for 60 to 300 s.
    public var tokensAhead = Duration.seconds(3600)
    /// The largest difference between the clocks of two registries that follow one another: a token may be on
    /// air so much before its time.
    public var clockDifference = Duration.seconds(5)
    /// The time after a token's life in which an observation of it still counts, because sound and reports
    /// take time.
    public var grace = Duration.seconds(10)
    /// The time for which two devices stay near after one last heard the other…
    public var shortestLoss = Duration.milliseconds(13_500)
    /// …or this number of the broadcaster's frames, if that takes longer: in a crowd each device's turn comes
    /// late…
    public var missedFrames = 4
    /// …but never longer than this: a broadcaster cannot make itself near for as long as it likes.
    public var longestLoss = Duration.seconds(120)
    /// The time after which a device that does not report has left. Its publications without a time to live
    /// of their own end then; each report renews them. A device that no longer hears it loses it long before.
    public var deviceLife = Duration.seconds(300)
    /// The longest time to the next report of a device that names all it hears, while its stream of
    /// notifications is open: the stream shows that it is there…
    package var keepAliveByStream = Duration.seconds(12 * 3600)
    /// …the same time without a stream, if the device hears others…
    package var keepAliveOfListener = Duration.seconds(5)
    /// …and if it hears none.
    public var keepAliveOfOthers = Duration.seconds(60)
    /// The time after the end of a device's stream in which it may open another one, or report, before what
    /// it hears ends.
    package var streamGrace = Duration.seconds(10)
    /// The time in which a device whose stream is open must report after another one, which it hears, has
    /// stopped hearing it: its program may hang while its connection still answers.
    package var confirmation = Duration.seconds(5)
    /// The longest time after which a device that got no answer tries again. No device is lost before that
    /// time after a standstill.
    package var longestRetry = Duration.seconds(30)

    /// Creates the standard values; an engine with its own standard values changes its tokens well before
    /// ``tokenLife`` ends.
    public init() {}
}
