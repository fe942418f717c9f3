// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The module's functions. Records go in and out by one place each in its memory, which the page looks up anew after every call: memory
// that grows is another one to the page. Everything runs on one thread.

/// Bytes that the page writes or reads.
private struct SharedBuffer {
    private(set) var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1)

    /// Those before are gone.
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

/// An answer of a server has 16 MiB at most.
private let inputLimit: UInt32 = 32 << 20

/// Where a record of so many bytes is to be written; nil where it is too long.
@c public func nbe_input(_ count: UInt32) -> UnsafeMutablePointer<UInt8>? {
    guard count <= inputLimit else { return nil }
    input.makeRoom(for: Int(count))
    return input.bytes.baseAddress
}

/// Where the last answer is.
@c public func nbe_output() -> UnsafeMutablePointer<UInt8>? { output.bytes.baseAddress }

/// Of the last answer.
@c public func nbe_output_count() -> UInt32 { UInt32(outputCount) }

/// Takes what was written to ``nbe_input(_:)`` and begins, in place of the engine before. 0: done; 1: the output says why not.
@c public func nbe_begin(_ count: UInt32) -> Int32 {
    answer(to: count) { record throws(EngineFailure) in
        engine = try WebEngine(record: record)
        return []
    }
}

/// Tells the engine of one event. 0: the output says what is to be done; 1: why nothing was.
@c public func nbe_take(_ count: UInt32) -> Int32 {
    answer(to: count) { record throws(EngineFailure) in
        guard engine != nil else { throw EngineFailure.notBegun }
        return try engine!.take(record)
    }
}

private func answer(to count: UInt32, _ work: ([UInt8]) throws(EngineFailure) -> [UInt8]) -> Int32 {
    // A count that is a lie ends where the room does.
    let record = Array(input.bytes.prefix(Int(min(count, inputLimit))))
    var (answer, status) = ([UInt8](), Int32(0))
    do throws(EngineFailure) { answer = try work(record) } catch {
        (answer, status) = (Array(error.line.utf8), 1)
    }
    output.put(answer)
    outputCount = answer.count
    return status
}
