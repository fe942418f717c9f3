import Glibc
import Nearby

/// The clock of a service. Its time advances evenly, and it also provides the current wall time.
///
/// The clock stores no wall time: a machine without a battery starts in 1970, and its wall clock is set while
/// the service runs.
package struct ServiceClock: Sendable {
    private let readUnixMillis: @Sendable () -> Int64
    private let sinceStart: @Sendable () -> Duration

    /// - Parameters:
    ///   - unixMillis: reads the wall clock, in milliseconds since 1970; it may be set at any time.
    ///   - sinceStart: returns the time since the start; it must never go back.
    package init(
        unixMillis: @escaping @Sendable () -> Int64, sinceStart: @escaping @Sendable () -> Duration
    ) {
        (readUnixMillis, self.sinceStart) = (unixMillis, sinceStart)
    }

    /// A clock whose wall time is never set.
    ///
    /// - Parameter startUnixMillis: the wall time in milliseconds since 1970 at which `sinceStart` is 0.
    package init(startUnixMillis: Int64, sinceStart: @escaping @Sendable () -> Duration) {
        self.init(
            unixMillis: { startUnixMillis + ServiceClock.millis(sinceStart()) }, sinceStart: sinceStart)
    }

    /// Returns a clock that reads the machine's clocks and starts now.
    package static func machine() -> ServiceClock {
        let start = ContinuousClock.now
        return ServiceClock(
            unixMillis: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
            }, sinceStart: { start.duration(to: .now) })
    }

    /// The current time, which advances evenly even while the wall clock is set.
    package var now: Instant { .start + sinceStart() }

    /// The current wall time, in milliseconds since 1970.
    package var unixMillis: Int64 { readUnixMillis() }

    /// The wall time at ``Instant/start``, in milliseconds since 1970, by the wall clock as it is set now. It
    /// changes when the wall clock is set.
    package var startUnixMillis: Int64 { readUnixMillis() - ServiceClock.millis(sinceStart()) }

    /// Returns the wall time of an instant in milliseconds since 1970, by the wall clock as it is set now.
    /// The instant may lie in the future.
    package func unixMillis(_ instant: Instant) -> Int64 {
        startUnixMillis + ServiceClock.millis(instant.offset)
    }

    /// Returns the instant of a wall time, by the wall clock as it is set now. A time before the clock began
    /// gives an instant before `Instant.start`.
    package func instant(unixMillis: Int64) -> Instant {
        let (offset, isBeyond) = unixMillis.subtractingReportingOverflow(startUnixMillis)
        return Instant(offset: .milliseconds(isBeyond ? (unixMillis < 0 ? .min : .max) : offset))
    }

    private static func millis(_ duration: Duration) -> Int64 { Int64((duration.inSeconds * 1000).rounded()) }
}
