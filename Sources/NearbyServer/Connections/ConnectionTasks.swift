import Synchronization

/// The tasks of a listener's connections. Hummingbird's server calls a function for each connection, and ends
/// when all calls are over. Here one of the calls runs the tasks of all connections, and lasts until the last
/// connection is closed. Most connections need no task: it would take memory, and the runtime looks through
/// all of them when one ends.
final class ConnectionTasks: Sendable {
    typealias Work = @Sendable () async -> Void

    private struct State {
        var connections = 0
        /// The work, from the beginning of the first connection to the end of the last one.
        var queue: AsyncStream<Work>?
        var end: AsyncStream<Work>.Continuation?
        /// True if a call runs what is in the queue.
        var isRunning = false
    }

    private let state = Mutex(State())

    /// Notes that a connection is open.
    func beginConnection() {
        state.withLock { state in
            state.connections += 1
            guard state.queue == nil else { return }
            let (queue, end) = AsyncStream.makeStream(of: Work.self)
            (state.queue, state.end, state.isRunning) = (queue, end, false)
        }
    }

    /// Notes that a connection is closed.
    func endConnection() {
        state.withLock { state in
            state.connections -= 1
            guard state.connections == 0 else { return }
            state.end?.finish()
            (state.queue, state.end) = (nil, nil)
        }
    }

    /// Has a task run for an open connection.
    func add(_ work: @escaping Work) { state.withLock { _ = $0.end?.yield(work) } }

    /// Runs the tasks until all connections are closed. If another call does so already, it returns at once.
    func run() async {
        let queue = state.withLock { state -> AsyncStream<Work>? in
            guard !state.isRunning else { return nil }
            state.isRunning = true
            return state.queue
        }
        guard let queue else { return }
        await withDiscardingTaskGroup { group in
            for await work in queue { group.addTask(operation: work) }
        }
    }
}
