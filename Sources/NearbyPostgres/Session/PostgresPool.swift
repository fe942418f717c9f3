import NearbyService
import Synchronization

/// A pool of sessions. Each statement runs in the session with the fewest pending statements.
final class PostgresPool: Sendable {
    private let sessions: [PostgresSession]
    private let loads: Mutex<[Int]>

    init(_ target: PostgresTarget, count: Int) {
        sessions = (0..<count).map { _ in PostgresSession(target) }
        loads = Mutex([Int](repeating: 0, count: count))
    }

    func query(_ statement: Statement, _ parameters: Parameter...) async throws(PostgresError)
        -> [PostgresRow]
    {
        try await query(statement, parameters)
    }

    func query(_ statement: Statement, _ parameters: [Parameter]) async throws(PostgresError) -> [PostgresRow]
    {
        let n = loads.withLock { loads in
            let least = loads.indices.min { loads[$0] < loads[$1] }!
            loads[least] += 1
            return least
        }
        defer { loads.withLock { $0[n] -= 1 } }
        return try await sessions[n].query(statement, parameters)
    }

    func transaction(
        _ body: @Sendable (Connection) throws(PostgresError) -> Void
    ) async throws(PostgresError) {
        try await sessions[0].transaction(body)
    }
}
