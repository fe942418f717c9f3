import Glibc
import Nearby

/// The time of a service. It goes on evenly, and it knows the wall time as that is now.
///
/// Nothing of the wall clock is remembered: a machine without a battery starts in 1970, and its clock is set while the service runs.
public struct ServiceClock: Sendable {
    private let readUnixMillis: @Sendable () -> Int64
    private let sinceStart: @Sendable () -> Duration

    /// - Parameters:
    ///   - unixMillis: reads the wall clock, in milliseconds since 1970; it may be set at any time.
    ///   - sinceStart: must never go back.
    public init(
        unixMillis: @escaping @Sendable () -> Int64, sinceStart: @escaping @Sendable () -> Duration
    ) {
        (readUnixMillis, self.sinceStart) = (unixMillis, sinceStart)
    }

    /// A clock whose wall time is never set.
    ///
    /// - Parameter startUnixMillis: wall time when `sinceStart` is 0, in milliseconds since 1970.
    public init(startUnixMillis: Int64, sinceStart: @escaping @Sendable () -> Duration) {
        self.init(
            unixMillis: { startUnixMillis + ServiceClock.millis(sinceStart()) }, sinceStart: sinceStart)
    }

    /// The machine's clocks, from now on.
    public static func machine() -> ServiceClock {
        let start = ContinuousClock.now
        return ServiceClock(
            unixMillis: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
            }, sinceStart: { start.duration(to: .now) })
    }

    /// Goes on evenly, also when the wall clock is set.
    public var now: Instant { .start + sinceStart() }

    /// Wall time now, in milliseconds since 1970.
    public var unixMillis: Int64 { readUnixMillis() }

    /// Wall time at ``Instant/start``, by the wall clock as it is set now, in milliseconds since 1970. It changes when that is set.
    public var startUnixMillis: Int64 { readUnixMillis() - ServiceClock.millis(sinceStart()) }

    /// Wall time of an instant by the wall clock as it is set now, in milliseconds since 1970; also of one that is still to come.
    public func unixMillis(_ instant: Instant) -> Int64 {
        startUnixMillis + ServiceClock.millis(instant.offset)
    }

    /// The instant of a wall time, by the wall clock as it is set now; before `Instant.start` for one before the clock began.
    public func instant(unixMillis: Int64) -> Instant {
        let (offset, isBeyond) = unixMillis.subtractingReportingOverflow(startUnixMillis)
        return Instant(offset: .milliseconds(isBeyond ? (unixMillis < 0 ? .min : .max) : offset))
    }

    private static func millis(_ duration: Duration) -> Int64 { Int64((duration.inSeconds * 1000).rounded()) }
}
