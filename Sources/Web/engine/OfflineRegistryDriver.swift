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

    /// The device stood still; what it could not hear is not lost for that.
    mutating func standStill(for duration: Duration, now: Instant) {
        state.standStill(for: duration, now: now)
    }

    /// Does what is due; returns what is told unasked.
    mutating func advance(to now: Instant, wall: Duration) -> Answer {
        state.advance(to: OfflineTime(now: now, wall: wall))
    }

    /// What was found and lost is told also when the report is refused.
    mutating func take(_ report: Report, now: Instant, wall: Duration) -> (
        news: Answer, answer: Result<Answer, RegistryError>
    ) {
        let time = OfflineTime(now: now, wall: wall)
        do throws(RegistryError) {
            try time.checkClock()
            let (answer, news) = try state.report(report, at: time)
            return (news, .success(answer))
        } catch {
            return (state.takeNews(), .failure(error))
        }
    }
}
