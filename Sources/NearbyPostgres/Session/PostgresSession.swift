import Dispatch
import Glibc
import NearbyService

/// A connection that comes back: made when it is needed, and again after it was lost. libpq blocks, so that each session has a
/// queue of its own and holds up no one else.
actor PostgresSession {
    private static let shortestWait = Duration.milliseconds(50)
    private static let longestWait = Duration.milliseconds(500)

    private let queue: QueueExecutor
    private let target: PostgresTarget
    private let commands: [String]
    private var connection: Connection?
    /// How often it was made.
    private(set) var generation = 0

    // While the server is away, each attempt waits longer; in the meantime the last failure is the answer.
    private var failure: PostgresError?
    private var wait = PostgresSession.shortestWait
    private var nextAttempt = ContinuousClock.now

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// - Parameter commands: run on each new connection.
    init(_ target: PostgresTarget, commands: [String] = []) {
        queue = QueueExecutor()
        self.target = target
        // Whatever the server's own defaults are: what is acknowledged is on its disk, and nothing waits for ever.
        self.commands = ["SET synchronous_commit = on; SET statement_timeout = '5s'"] + commands
    }

    func query(_ statement: Statement, _ parameters: [Parameter]) throws(PostgresError) -> [PostgresRow] {
        try attempt(isRepeatable: statement.isRepeatable) { connection throws(PostgresError) in
            try connection.query(statement, parameters)
        }
    }

    /// All or nothing.
    func transaction(_ body: @Sendable (Connection) throws(PostgresError) -> Void) throws(PostgresError) {
        try attempt(isRepeatable: false) { connection throws(PostgresError) in
            try connection.run("BEGIN")
            do throws(PostgresError) {
                try body(connection)
                try connection.run("COMMIT")
            } catch {
                try? connection.run("ROLLBACK")
                throw error
            }
        }
    }

    /// Returns what was told, at the latest after that time.
    func notifications(wait milliseconds: Int32) throws(PostgresError) -> [String] {
        try attempt(isRepeatable: false) { connection throws(PostgresError) in
            let told = try connection.takeNotifications()
            guard told.isEmpty else { return told }
            var entry = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, milliseconds)
            return try connection.takeNotifications()
        }
    }

    private func attempt<Value>(
        isRepeatable: Bool, _ body: (Connection) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        let isFresh = connection == nil
        do throws(PostgresError) {
            return try body(try connected())
        } catch {
            guard error.isConnectionLost else { throw error }
            connection = nil
            // It may have been lost long ago, while nobody asked.
            guard isRepeatable, !isFresh else { throw error }
            return try body(try connected())
        }
    }

    private func connected() throws(PostgresError) -> Connection {
        if let connection { return connection }
        if let failure, nextAttempt > .now { throw failure }
        do throws(PostgresError) {
            let connection = try Connection(target, commands: commands)
            (self.connection, failure, wait) = (connection, nil, PostgresSession.shortestWait)
            generation += 1
            return connection
        } catch {
            (failure, nextAttempt) = (error, .now + wait)
            wait = min(PostgresSession.longestWait, wait * 2)
            throw error
        }
    }
}

/// Runs an actor on a queue of its own instead of the shared threads, which must not block.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "nearby.postgres")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
