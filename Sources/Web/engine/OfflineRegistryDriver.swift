import Nearby
import NearbyOffline

/// The registry in a page with an offline key.
struct OfflineRegistryDriver {
    private var state: OfflineState

    init(keyFile: String, random: SeededRandom) throws(WebError) {
        do throws(KeyFileError) {
            state = OfflineState(try OfflineProject(keyFile: keyFile), random: random)
        } catch {
            throw .noKey(error.description)
        }
    }

    var nextDeadline: Instant? { state.nextDeadline }

    /// Notes that the device stood still. Nothing that it could not hear meanwhile is lost for that.
    mutating func standStill(for duration: Duration, now: Instant) {
        state.standStill(for: duration, now: now)
    }

    /// Does what is due, and returns the unsolicited notification.
    mutating func advance(to now: Instant, wall: Duration) -> Answer {
        state.advance(to: OfflineTime(now: now, wall: wall))
    }

    /// Takes a report. Returns what was found and lost, even if the report is refused.
    mutating func take(_ report: Report, now: Instant, wall: Duration) -> (
        events: Answer, answer: Result<Answer, RegistryError>
    ) {
        let time = OfflineTime(now: now, wall: wall)
        do throws(RegistryError) {
            try time.checkClock()
            let (answer, events) = try state.report(report, at: time)
            return (events, .success(answer))
        } catch {
            return (state.takeEvents(), .failure(error))
        }
    }
}
