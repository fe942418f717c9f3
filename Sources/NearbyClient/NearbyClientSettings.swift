/// Timeouts and limits of a ``NearbyClient``.
public struct NearbyClientSettings: Sendable, Hashable {
    /// The time for an answer, from the first attempt to connect to its last byte.
    public var answerTimeout = Duration.seconds(10)
    /// The time to connect. It has no effect on an `HTTPClient` that the caller provides.
    public var connectTimeout = Duration.seconds(5)
    /// `true` to keep a stream of events open. Without the stream, events arrive only with the answers to
    /// reports.
    public var followsEvents = true
    /// The pauses between attempts to open that stream. They double from the lower to the upper bound, with
    /// jitter.
    public var reconnect = Duration.milliseconds(500)...Duration.seconds(30)
    /// The silence after which a stream counts as dead. The server sends a comment every 30 s.
    public var silence = Duration.seconds(40)
    /// The interval between reports after a stream has ended that made reports unnecessary.
    public var keepAliveWithoutEvents = Duration.seconds(5)
    /// The maximum size in bytes of an answer and of an event.
    public var bodyLimit = 16 << 20
    /// The name by which the device's owner looks for it at the server, such as a serial number: 1 to 64
    /// printable ASCII characters. Other devices never see it. `nil` if it has none.
    public var label: String?
    /// A file of certificates (PEM) to trust instead of those of the system. It has no effect on an
    /// `HTTPClient` that the caller provides.
    public var trustRoots: String?

    /// The standard values: a stream of events, and the system's certificates.
    public init() {}
}
