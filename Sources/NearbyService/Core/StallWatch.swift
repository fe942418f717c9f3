import Nearby
import Synchronization

/// Tells how long this process has stood still: a paused virtual machine, a suspended computer, a debugger.
///
/// It is asked the time at least every ``interval``. A gap that is much longer means that nobody could be heard meanwhile.
final class StallWatch: Sendable {
    /// Somebody must ask at least so often.
    static let interval = Duration.milliseconds(500)
    /// Shorter gaps are those of a busy machine.
    private static let shortestGap = Duration.milliseconds(1500)

    private struct Reading {
        var last: Instant
        var total = Duration.zero
    }

    private let reading: Mutex<Reading>

    init(now: Instant) { reading = Mutex(Reading(last: now)) }

    /// How long it has stood still in all, until `now`.
    func total(at now: Instant) -> Duration {
        reading.withLock { reading in
            let gap = reading.last.duration(to: now)
            if gap >= StallWatch.shortestGap { reading.total += gap - StallWatch.interval }
            reading.last = max(reading.last, now)
            return reading.total
        }
    }
}
