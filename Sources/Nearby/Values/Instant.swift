/// A time on the engine's own clock, which may be a real or a simulated clock.
public struct Instant: InstantProtocol, Sendable, Hashable {
    /// The time since the clock started.
    public var offset: Duration

    /// Creates the time at `offset` after ``start``, or before it if `offset` is negative.
    public init(offset: Duration) { self.offset = offset }

    /// The time at which the clock started.
    public static let start = Instant(offset: .zero)
    /// A time later than all others.
    static let end = Instant(offset: .seconds(Int64.max))

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns the time `b` after `a`, or before it if `b` is negative.
    public static func + (a: Instant, b: Duration) -> Instant { a.advanced(by: b) }
    /// Returns the time `b` before `a`, or after it if `b` is negative.
    public static func - (a: Instant, b: Duration) -> Instant { Instant(offset: a.offset - b) }
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
}

extension Duration {
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
