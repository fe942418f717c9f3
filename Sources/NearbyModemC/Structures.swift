import CNearbyModem

/// A structure of the header that begins with its size, so that fields can be added at its end.
protocol GrowingStructure {
    /// The size in bytes in version 1.0 of the header. It never changes: programs compiled then give this
    /// size for ever.
    static var firstSize: Int { get }
}

/// True if `size_t` has 8 bytes here, not 4 as on 32-bit ARM and in WebAssembly.
private var isWide: Bool { MemoryLayout<Int>.size == 8 }

extension nbm_profile: GrowingStructure { static var firstSize: Int { 88 } }
extension nbm_mixer_options: GrowingStructure { static var firstSize: Int { isWide ? 56 : 48 } }
extension nbm_level: GrowingStructure { static var firstSize: Int { 32 } }
extension nbm_mixer_status: GrowingStructure { static var firstSize: Int { 32 } }
extension nbm_receiver_options: GrowingStructure { static var firstSize: Int { isWide ? 40 : 28 } }
extension nbm_offline_project: GrowingStructure { static var firstSize: Int { isWide ? 48 : 40 } }

/// Reads and writes callers' structures, which may be shorter than this library's, or longer.
enum Structure {
    /// The greatest size that is accepted: no caller sets a greater one on purpose.
    private static let greatest = 1 << 16

    /// Returns the fields that the caller has, and the defaults for those that its header did not have yet.
    static func read<Value: GrowingStructure & BitwiseCopyable>(
        _ given: UnsafePointer<Value>?, or defaults: Value
    ) throws(Refusal) -> Value {
        guard let given else { return defaults }
        let from = UnsafeRawPointer(given)
        let size = try size(of: from, least: Value.firstSize)
        var value = defaults
        withUnsafeMutableBytes(of: &value) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: from, count: min(size, $0.count)))
        }
        return value
    }

    /// Fills the fields that the caller has room for. The caller's size stays.
    static func write<Value: GrowingStructure & BitwiseCopyable>(
        _ value: Value, to place: UnsafeMutablePointer<Value>?, _ name: String
    ) throws(Refusal) {
        guard let place else { throw .null(name) }
        let to = UnsafeMutableRawPointer(place)
        let size = try size(of: to, least: Value.firstSize)
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
                "a structure's size is \(size), and it has at least \(least) bytes: use its NBM_..._INIT")
        }
        return size
    }
}

/// Returns text from C. Throws if it is not UTF-8.
func text(_ pointer: UnsafePointer<CChar>?, or text: String, _ name: String) throws(Refusal) -> String {
    guard let pointer else { return text }
    guard let string = String(validatingCString: pointer) else {
        throw Refusal(NBM_ERROR_RANGE, "\(name) is not UTF-8")
    }
    return string
}

/// Returns bytes from C.
func bytes(_ pointer: UnsafePointer<UInt8>?, _ count: Int, _ name: String) throws(Refusal) -> [UInt8] {
    guard count > 0 else { return [] }
    guard let pointer else { throw .null(name) }
    return Array(UnsafeBufferPointer(start: pointer, count: count))
}
