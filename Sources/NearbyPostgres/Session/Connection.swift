import CPostgres
import Glibc
import NearbyService

/// One connection to the server. Its calls block, so its user needs a thread of its own.
final class Connection {
    private let pointer: OpaquePointer
    private var prepared: Set<String> = []

    /// - Parameter commands: SQL commands to run on the new connection.
    init(_ target: PostgresTarget, commands: [String]) throws(PostgresError) {
        let keywords = target.options.map(\.keyword) + [nil]
        let values = target.options.map(\.value) + [nil]
        pointer = withCStrings(keywords) { keywords in
            withCStrings(values) { values in PQconnectdbParams(keywords, values, 0) }
        }!
        guard PQstatus(pointer) == CONNECTION_OK else {
            throw .connectionLost("\(target): \(target.withoutPassword(lastLine))")
        }
        PQsetNoticeProcessor(pointer, { _, _ in }, nil)
        for command in commands { try run(command) }
    }

    deinit { PQfinish(pointer) }

    var isAlive: Bool { PQstatus(pointer) == CONNECTION_OK }
    var socket: Int32 { PQsocket(pointer) }

    /// Runs one or more SQL commands without parameters and rows.
    func run(_ command: String) throws(PostgresError) {
        let result = PQexec(pointer, command)
        defer { PQclear(result) }
        try check(result)
    }

    /// Runs a statement. The first use on this connection prepares it.
    func query(_ statement: Statement, _ parameters: [Parameter]) throws(PostgresError) -> [PostgresRow] {
        if !prepared.contains(statement.name) {
            let types = parameters.map(\.type)
            let result = PQprepare(pointer, statement.name, statement.sql, CInt(types.count), types)
            defer { PQclear(result) }
            try check(result)
            prepared.insert(statement.name)
        }
        let result = execute(statement.name, parameters.map(\.bytes))
        defer { PQclear(result) }
        try check(result)
        return rows(result)
    }

    private func execute(_ name: String, _ values: [[UInt8]]) -> OpaquePointer? {
        // All values share one buffer, so that no value needs a closure of its own.
        let buffer = Array(values.map { $0 + [0] }.joined())
        var offset = 0
        return buffer.withUnsafeBufferPointer { buffer in
            let places = values.map { value -> UnsafePointer<CChar>? in
                defer { offset += value.count + 1 }
                return UnsafeRawPointer(buffer.baseAddress! + offset).assumingMemoryBound(to: CChar.self)
            }
            let lengths = values.map { CInt($0.count) }
            let formats = [CInt](repeating: 1, count: values.count)
            return PQexecPrepared(pointer, name, CInt(values.count), places, lengths, formats, 1)
        }
    }

    private func rows(_ result: OpaquePointer?) -> [PostgresRow] {
        let columns = PQnfields(result)
        return (0..<PQntuples(result)).map { row in
            PostgresRow(
                cells: (0..<columns).map { column in
                    guard PQgetisnull(result, row, column) == 0 else { return nil }
                    let bytes = UnsafeRawBufferPointer(
                        start: PQgetvalue(result, row, column),
                        count: Int(PQgetlength(result, row, column)))
                    return Array(bytes)
                })
        }
    }

    /// Returns the payloads of the notifications that have arrived since the last call, oldest first.
    func takeNotifications() throws(PostgresError) -> [String] {
        guard PQconsumeInput(pointer) == 1 else {
            throw .connectionLost(lastLine)
        }
        var payloads: [String] = []
        while let note = PQnotifies(pointer) {
            payloads.append(String(cString: note.pointee.extra))
            PQfreemem(note)
        }
        return payloads
    }

    private func check(_ result: OpaquePointer?) throws(PostgresError) {
        let status = PQresultStatus(result)
        guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK else { return }
        func field(_ code: Character) -> String? {
            PQresultErrorField(result, CInt(code.asciiValue!)).map { String(cString: $0) }
        }
        let line = field("M") ?? lastLine
        guard isAlive else { throw .connectionLost(line) }
        // SQLSTATE 23505 is `unique_violation`.
        throw field("C") == "23505" ? .exists(line) : .other(line)
    }

    private var lastLine: String {
        let text = String(cString: PQerrorMessage(pointer))
        return text.split(separator: "\n").first.map(String.init) ?? "no connection"
    }
}

/// A prepared statement.
struct Statement: Sendable {
    var name: String
    var sql: String
    /// `true` if the statement may run a second time when its connection was lost.
    var isRepeatable = true

    init(_ name: String, isRepeatable: Bool = true, _ sql: String) {
        (self.name, self.sql, self.isRepeatable) = (name, sql, isRepeatable)
    }
}

private func withCStrings<Value>(
    _ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
    let copies = strings.map { $0.map { strdup($0)! } }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) })
}
