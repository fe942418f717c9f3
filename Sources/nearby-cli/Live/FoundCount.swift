import CommandOutput
import Synchronization

/// The number of findings, for use by several tasks.
final class FoundCount: Sendable {
    private let count = Mutex(0)

    func add() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }

    /// Checks that at least `least` were found. Throws: 1 if they were not. If nothing was found because a
    /// device or the registry failed, it throws that failure instead.
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
