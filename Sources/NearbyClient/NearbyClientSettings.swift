/// Times and limits of a ``NearbyClient``.
public struct NearbyClientSettings: Sendable, Hashable {
    /// For an answer, from the first try to connect to its last byte.
    public var answerTimeout = Duration.seconds(10)
    /// For a connection. Not for a client that comes with an `HTTPClient` of its own.
    public var connectTimeout = Duration.seconds(5)
    /// Whether a stream of events is kept open; without it, news come with the answers to reports.
    public var followsEvents = true
    /// Between tries to open that stream: doubled from one to the other, with jitter.
    public var reconnect = Duration.milliseconds(500)...Duration.seconds(30)
    /// A stream that says nothing for so long is dead: the server comments every 15 s.
    public var silence = Duration.seconds(40)
    /// Bytes of an answer, and of an event.
    public var bodyLimit = 16 << 20
    /// A file of certificates (PEM) that servers are trusted by, in place of the system's. Not for a client that comes with an
    /// `HTTPClient` of its own.
    public var trustRoots: String?

    /// The standard values: a stream of events, and the system's certificates.
    public init() {}
}
