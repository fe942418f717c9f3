import CommandOutput
import Synchronization

/// How many were found, told from the task that finds them.
final class FoundCount: Sendable {
    private let count = Mutex(0)

    func add() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }

    /// Throws: what stood in the way, or 1, when fewer than `least` were found.
    func check(least: Int, _ live: LiveEngine) throws(CommandFailure) {
        let found = value
        guard found < least else { return }
        let words =
            found == 0
            ? "nothing was found: is a sender near?" : "only \(found) of \(least) were found"
        throw found == 0
            ? live.failure(or: CommandFailure(.nothingHeard, words)) : CommandFailure(.nothingHeard, words)
    }
}
