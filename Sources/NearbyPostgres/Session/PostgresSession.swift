import Dispatch
import Glibc
import NearbyService

/// A session that connects when it is first used and reconnects after a loss. Calls of libpq block, so each
/// session has its own queue and delays no other session.
actor PostgresSession {
    private static let shortestWait = Duration.milliseconds(50)
    private static let longestWait = Duration.milliseconds(500)

    private let queue: QueueExecutor
    private let target: PostgresTarget
    private let commands: [String]
    private var connection: Connection?
    /// The number of connections that this session has made.
    private(set) var generation = 0

    // While the server is away, the pauses between attempts grow. In a pause, calls throw the last failure.
    private var failure: PostgresError?
    private var wait = PostgresSession.shortestWait
    private var nextAttempt = ContinuousClock.now

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// - Parameter commands: SQL commands to run on each new connection.
    init(_ target: PostgresTarget, commands: [String] = []) {
        queue = QueueExecutor()
        self.target = target
        // These settings override the server's defaults: acknowledged data is on its disk, and no statement
        // waits for ever.
        self.commands = ["SET synchronous_commit = on; SET statement_timeout = '5s'"] + commands
    }

    func query(_ statement: Statement, _ parameters: [Parameter]) throws(PostgresError) -> [PostgresRow] {
        try attempt(isRepeatable: statement.isRepeatable) { connection throws(PostgresError) in
            try connection.query(statement, parameters)
        }
    }

    /// Runs `body` in a transaction, which is committed whole or rolled back.
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

    /// Returns notifications as soon as there are any, or none after the given time.
    func notifications(wait milliseconds: Int32) throws(PostgresError) -> [String] {
        try attempt(isRepeatable: false) { connection throws(PostgresError) in
            let notices = try connection.takeNotifications()
            guard notices.isEmpty else { return notices }
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
            // The connection may have been lost long ago, while the session was idle.
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

/// An executor that runs an actor on its own queue, because the shared threads must not block.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "nearby.postgres")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
