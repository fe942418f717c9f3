// The names follow C's conventions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The module's functions. Records go in and out by one buffer each in the module's memory. The page looks up
// the buffer's address after every call, because memory that grows is a new object to the page. Everything
// runs on one thread.

/// A buffer of bytes that the page writes or reads.
private struct SharedBuffer {
    private(set) var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1)

    /// Replaces the buffer by a zeroed one of another size.
    mutating func makeRoom(for count: Int) {
        bytes.deallocate()
        bytes = .allocate(capacity: max(1, count))
        bytes.initialize(repeating: 0)
    }

    mutating func put(_ record: [UInt8]) {
        makeRoom(for: record.count)
        _ = bytes.update(fromContentsOf: record)
    }
}

nonisolated(unsafe) private var engine: WebEngine?
nonisolated(unsafe) private var input = SharedBuffer()
nonisolated(unsafe) private var output = SharedBuffer()
nonisolated(unsafe) private var outputCount = 0

/// The highest byte count of a record. An answer of a server has at most 16 MiB.
private let inputLimit: UInt32 = 32 << 20

/// Returns the address at which the page writes a record of `count` bytes, or `nil` if the record is too
/// long.
@c public func nbe_input(_ count: UInt32) -> UnsafeMutablePointer<UInt8>? {
    guard count <= inputLimit else { return nil }
    input.makeRoom(for: Int(count))
    return input.bytes.baseAddress
}

/// Returns the address of the last answer.
@c public func nbe_output() -> UnsafeMutablePointer<UInt8>? { output.bytes.baseAddress }

/// Returns the byte count of the last answer.
@c public func nbe_output_count() -> UInt32 { UInt32(outputCount) }

/// Takes the record written to ``nbe_input(_:)``, and starts an engine in place of the former one. Returns 0
/// if that succeeded, or 1 if the output contains an error.
@c public func nbe_begin(_ count: UInt32) -> Int32 {
    answer(to: count) { record throws(EngineFailure) in
        engine = try WebEngine(record: record)
        return []
    }
}

/// Passes one event to the engine. Returns 0 if the output contains the actions, or 1 if it contains an
/// error.
@c public func nbe_take(_ count: UInt32) -> Int32 {
    answer(to: count) { record throws(EngineFailure) in
        guard engine != nil else { throw EngineFailure.notBegun }
        return try engine!.take(record)
    }
}

private func answer(to count: UInt32, _ work: ([UInt8]) throws(EngineFailure) -> [UInt8]) -> Int32 {
    // A wrong count is limited to the size of the buffer.
    let record = Array(input.bytes.prefix(Int(min(count, inputLimit))))
    var (answer, status) = ([UInt8](), Int32(0))
    do throws(EngineFailure) { answer = try work(record) } catch {
        (answer, status) = (Array(error.line.utf8), 1)
    }
    output.put(answer)
    outputCount = answer.count
    return status
}
