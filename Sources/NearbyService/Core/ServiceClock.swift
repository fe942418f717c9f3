import Nearby

/// The time of a service: it never jumps, and knows which wall time it stands for.
public struct ServiceClock: Sendable {
    /// Wall time at ``Instant/start``, milliseconds since 1970.
    private let startUnixMillis: Int64
    private let sinceStart: @Sendable () -> Duration

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

    public var now: Instant { .start + sinceStart() }

    public func unixMillis(_ instant: Instant) -> Int64 {
        startUnixMillis + Int64((instant.offset.inSeconds * 1000).rounded())
    }

    public func instant(unixMillis: Int64) -> Instant {
        Instant(offset: .milliseconds(unixMillis - startUnixMillis))
    }
}
