/// Lets tasks of an actor pass one at a time, in the order in which they came: between two steps of one, another must not change what
/// the first has looked at.
///
///     await turns.take()
///     defer { turns.giveUp() }
package struct TaskQueue: Sendable {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Whether it is free; it is taken then.
    package mutating func takeIfFree() -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// Resumes the continuation when it is its turn.
    package mutating func enqueue(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    /// The next one's turn.
    package mutating func giveUp() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
