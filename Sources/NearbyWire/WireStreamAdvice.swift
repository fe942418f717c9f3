/// The part of an event that tells a client in advance how to come back when its stream breaks. It is an
/// event of its own without an id, which a client that does not know it takes for an answer without news.
///
///     data: {"retryWithinSeconds":120}
public struct WireStreamAdvice: Codable, Sendable, Hashable {
    /// The number of seconds over which the server wants its clients to spread their return. `nil` in other
    /// events.
    public var retryWithinSeconds: Int?

    /// - Parameter retryWithinSeconds: the number of seconds, over 0.
    public init(retryWithinSeconds: Int?) { self.retryWithinSeconds = retryWithinSeconds }
}
