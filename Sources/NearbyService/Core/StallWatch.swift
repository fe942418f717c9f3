import Nearby
import Synchronization

/// A detector of the time in which this process has stood still, for example in a paused virtual machine, a
/// suspended computer or a debugger.
///
/// Its owner must read the total at least every ``interval``. A much longer gap between two readings means
/// that no device could be heard meanwhile.
final class StallWatch: Sendable {
    /// The longest permitted interval between two readings.
    static let interval = Duration.milliseconds(500)
    /// The shortest gap that counts as a stall. Shorter gaps occur on a busy machine.
    private static let shortestGap = Duration.milliseconds(1500)

    private struct Reading {
        var last: Instant
        var total = Duration.zero
    }

    private let reading: Mutex<Reading>

    init(now: Instant) { reading = Mutex(Reading(last: now)) }

    /// Returns the total time for which the process has stood still until `now`.
    func total(at now: Instant) -> Duration {
        reading.withLock { reading in
            let gap = reading.last.duration(to: now)
            if gap >= StallWatch.shortestGap { reading.total += gap - StallWatch.interval }
            reading.last = max(reading.last, now)
            return reading.total
        }
    }
}
