import CNearbyModem

/// Structures that begin with their size, so that they can grow.
enum Structure {
    /// Beyond, a size was never set.
    private static let greatest = 1 << 16

    /// What the caller has given, and the defaults for what is beyond its size.
    static func read<Value: BitwiseCopyable>(
        _ given: UnsafePointer<Value>?, or defaults: Value
    ) throws(Refusal) -> Value {
        guard let given else { return defaults }
        let from = UnsafeRawPointer(given)
        let size = try size(of: from, least: MemoryLayout<Value>.size)
        var value = defaults
        withUnsafeMutableBytes(of: &value) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: from, count: min(size, $0.count)))
        }
        return value
    }

    /// Fills what the caller has room for. Its size stays.
    static func write<Value: BitwiseCopyable>(
        _ value: Value, to place: UnsafeMutablePointer<Value>?, _ name: String
    ) throws(Refusal) {
        guard let place else { throw .null(name) }
        let to = UnsafeMutableRawPointer(place)
        let size = try size(of: to, least: MemoryLayout<Value>.size)
        withUnsafeBytes(of: value) { bytes in
            let kept = MemoryLayout<Int>.size
            (to + kept).copyMemory(from: bytes.baseAddress! + kept, byteCount: min(size, bytes.count) - kept)
        }
    }

    private static func size(of structure: UnsafeRawPointer, least: Int) throws(Refusal) -> Int {
        let size = structure.loadUnaligned(as: Int.self)
        guard size >= least, size <= greatest else {
            throw Refusal(
                NBM_ERROR_STRUCT_SIZE,
                "a structure's size is \(size), and it has \(least) bytes: use its NBM_..._INIT")
        }
        return size
    }
}

/// Text from C. Throws: what is not UTF-8.
func text(_ pointer: UnsafePointer<CChar>?, or text: String, _ name: String) throws(Refusal) -> String {
    guard let pointer else { return text }
    guard let string = String(validatingCString: pointer) else {
        throw Refusal(NBM_ERROR_RANGE, "\(name) is not UTF-8")
    }
    return string
}

/// Bytes from C.
func bytes(_ pointer: UnsafePointer<UInt8>?, _ count: Int, _ name: String) throws(Refusal) -> [UInt8] {
    guard count > 0 else { return [] }
    guard let pointer else { throw .null(name) }
    return Array(UnsafeBufferPointer(start: pointer, count: count))
}
