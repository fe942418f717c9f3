import Nearby

/// The time of a service: it never jumps, and knows which wall time it stands for.
public struct ServiceClock: Sendable {
    /// Wall time at ``Instant/start``, milliseconds since 1970.
    private let startUnixMillis: Int64
    private let sinceStart: @Sendable () -> Duration

    /// - Parameters:
    ///   - startUnixMillis: wall time when `sinceStart` is 0, in milliseconds since 1970.
    ///   - sinceStart: must never go back.
    public init(startUnixMillis: Int64, sinceStart: @escaping @Sendable () -> Duration) {
        (self.startUnixMillis, self.sinceStart) = (startUnixMillis, sinceStart)
    }

    /// The machine's.
    ///
    /// - Parameter unixMillis: wall time now.
    public static func machine(unixMillis: Int64) -> ServiceClock {
        let start = ContinuousClock.now
        return ServiceClock(startUnixMillis: unixMillis) { start.duration(to: .now) }
    }

    /// Goes on evenly, also when the wall clock is set.
    public var now: Instant { .start + sinceStart() }

    /// Wall time of an instant, in milliseconds since 1970; also of one that is still to come.
    public func unixMillis(_ instant: Instant) -> Int64 {
        startUnixMillis + Int64((instant.offset.inSeconds * 1000).rounded())
    }

    /// The instant of a wall time; before `Instant.start` for one before the clock began.
    public func instant(unixMillis: Int64) -> Instant {
        Instant(offset: .milliseconds(unixMillis - startUnixMillis))
    }
}
