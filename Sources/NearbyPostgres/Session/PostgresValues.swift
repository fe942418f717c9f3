import Nearby
import NearbyService

/// A parameter of a statement. It is sent in PostgreSQL's binary format, so no value needs quoting.
enum Parameter: Sendable {
    case int(Int64)
    case text(String)
    case bytes([UInt8])
    case ints([Int64])
    case byteStrings([[UInt8]])
    case texts([String])

    var bytes: [UInt8] {
        switch self {
        case .int(let value): value.bigEndianBytes
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .ints(let values): Parameter.array(values.map(\.bigEndianBytes), of: PostgresType.int8)
        case .byteStrings(let values): Parameter.array(values, of: PostgresType.bytea)
        case .texts(let values): Parameter.array(values.map { Array($0.utf8) }, of: PostgresType.text)
        }
    }

    var type: UInt32 {
        switch self {
        case .int: PostgresType.int8
        case .text: PostgresType.text
        case .bytes: PostgresType.bytea
        case .ints: PostgresType.int8Array
        case .byteStrings: PostgresType.byteaArray
        case .texts: PostgresType.textArray
        }
    }

    /// Encodes an array in the format of PostgreSQL's `array_recv`: the number of dimensions, a flag for
    /// nulls and the element type; then the length and first index of each dimension; then the elements with
    /// their lengths.
    private static func array(_ elements: [[UInt8]], of type: UInt32) -> [UInt8] {
        var bytes =
            Int32(elements.isEmpty ? 0 : 1).bigEndianBytes + Int32(0).bigEndianBytes + type.bigEndianBytes
        guard !elements.isEmpty else { return bytes }
        bytes.reserveCapacity(elements.reduce(20) { $0 + 4 + $1.count })
        bytes += Int32(elements.count).bigEndianBytes + Int32(1).bigEndianBytes
        for element in elements { bytes += Int32(element.count).bigEndianBytes + element }
        return bytes
    }
}

/// Type numbers from `pg_type`, which never change.
private enum PostgresType {
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let text: UInt32 = 25
    static let byteaArray: UInt32 = 1001
    static let textArray: UInt32 = 1009
    static let int8Array: UInt32 = 1016
}

/// One row of a statement's result, in PostgreSQL's binary format.
struct PostgresRow: Sendable {
    /// The values of the columns; `nil` stands for NULL.
    let cells: [[UInt8]?]

    func isNull(_ column: Int) -> Bool { cells[column] == nil }
    func int(_ column: Int) -> Int64 { Int64(bitPattern: (cells[column] ?? []).bigEndianNumber) }
    func text(_ column: Int) -> String { String(decoding: cells[column] ?? [], as: UTF8.self) }
    func bytes(_ column: Int) -> [UInt8] { cells[column] ?? [] }
}

/// The reason why a statement has no result. It is one line, without statement, arguments and passwords. The
/// type is indirect for the same reason as ``ServiceRefusal``.
indirect enum PostgresError: Error {
    /// The connection was lost; another attempt on a new connection may succeed.
    case connectionLost(String)
    /// `unique_violation`
    case exists(String)
    case other(String)
    /// The request is not permitted, for example because a name is taken or a limit is reached.
    case refused(StoreError)

    var line: String {
        switch self {
        case .connectionLost(let line), .exists(let line), .other(let line): line
        case .refused(let error): "\(error)"
        }
    }

    var isConnectionLost: Bool { if case .connectionLost = self { true } else { false } }
    var isExists: Bool { if case .exists = self { true } else { false } }

    var storeError: StoreError { if case .refused(let error) = self { error } else { .failed(line) } }
}
