import HTTPTypes
import Hummingbird
import Nearby
import Synchronization

/// Draws the seconds of `Retry-After`, so that clients that were refused together do not come back together.
final class RetryTimes: Sendable {
    /// The part of a time by which the drawn one may be shorter or longer.
    static let spread = 0.25

    private let random: Mutex<any RandomNumberGenerator & Sendable>

    init(random: any RandomNumberGenerator & Sendable) { self.random = Mutex(random) }

    /// Returns a number of seconds, at least 1, about as long as the exact time.
    func draw(around seconds: Double) -> Int {
        let share = random.withLock { $0.nextShare() }
        let drawn = seconds * (1 - RetryTimes.spread + 2 * RetryTimes.spread * share)
        return Int(max(1, drawn.rounded(.up)))
    }

    /// Replaces the exact time in an answer.
    func vary(_ response: inout Response) {
        guard let exact = response.headers[.retryAfter].flatMap({ Double($0) }) else { return }
        response.headers[.retryAfter] = "\(draw(around: exact))"
    }
}
