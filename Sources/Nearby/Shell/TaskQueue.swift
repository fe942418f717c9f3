/// A queue that admits tasks of an actor one at a time, in the order in which they came: between two steps of
/// one task, another must not change what the first has read.
///
///     await turns.take()
///     defer { turns.giveUp() }
package struct TaskQueue: Sendable {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Takes the turn if it is free. Returns true if it did so.
    package mutating func takeIfFree() -> Bool {
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// Adds a continuation, which is resumed when its turn comes.
    package mutating func enqueue(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
    }

    /// Passes the turn to the next task in the queue.
    package mutating func giveUp() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
