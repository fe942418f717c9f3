/// A time on the engine's own clock, which may be a real one or that of a simulation.
public struct Instant: InstantProtocol, Sendable, Hashable {
    /// Since the clock began.
    public var offset: Duration

    /// So long after ``start``; before it, where that is negative.
    public init(offset: Duration) { self.offset = offset }

    /// When the clock began.
    public static let start = Instant(offset: .zero)
    /// Later than all.
    static let end = Instant(offset: .seconds(Int64.max))

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// So much later; earlier, where `b` is negative.
    public static func + (a: Instant, b: Duration) -> Instant { a.advanced(by: b) }
    /// So much earlier; later, where `b` is negative.
    public static func - (a: Instant, b: Duration) -> Instant { Instant(offset: a.offset - b) }
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
}

extension Duration {
    public var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
