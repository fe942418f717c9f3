import Logging
import Nearby

/// The part that has the keys of sealed tokens: one for each day, drawn well before it begins, and deleted
/// when the day after is over.
extension ProjectService {
    /// The time before midnight at which the next day's key must be there. Tokens are given an hour ahead.
    private static let ahead = Duration.seconds(3 * 3600)

    /// Reads the keys of the days around now, if any is missing. Missing keys are drawn. Call it every few
    /// minutes.
    func renewTokenKeys() async throws(StoreError) {
        let now = clock.now
        let days = state.registry.day(at: now) - 1...state.registry.day(at: now + ProjectService.ahead)
        guard state.registry.tokenKeyDays != Array(days) else { return }
        var random = makeRandom()
        let drawn = days.map { day in
            (day, withUnsafeBytes(of: (random.next(), random.next())) { Array($0) })
        }
        let kept = try await store.tokenKeys(of: project.id, orElse: Dictionary(uniqueKeysWithValues: drawn))
        let keys = days.compactMap { day in kept[day].flatMap { TokenKey(day: day, bytes: $0) } }
        guard keys.count == days.count else { throw .failed("a token key has not 16 bytes") }
        state.registry.setTokenKeys(keys)
    }
}
