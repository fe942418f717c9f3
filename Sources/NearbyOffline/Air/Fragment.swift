import Nearby

/// A fragment of a ``Bulletin``, as a frame contains it before it is sealed.
///
///     | sender 4 | generation 2 | index 4 bits, count − 1 4 bits | chunk 1 … 17 |
///
/// All chunks but the last are full.
struct Fragment: Hashable, Sendable {
    /// The random id of the sending device, which lasts as long as the device runs.
    var sender: UInt32
    /// The number of the sender's bulletin.
    var generation: UInt16
    var index: Int
    var count: Int
    var chunk: [UInt8]

    static let headerByteCount = 7
    static let chunkByteCount = 17
    static let counts = 1...16

    /// The number of bytes that all fragments of a bulletin can hold.
    static let capacity = counts.upperBound * chunkByteCount

    /// Splits a bulletin into fragments, or returns `nil` if it has no bytes, or too many.
    static func split(_ bytes: [UInt8], sender: UInt32, generation: UInt16) -> [Fragment]? {
        let count = (bytes.count + chunkByteCount - 1) / chunkByteCount
        guard counts.contains(count) else { return nil }
        return (0..<count).map { index in
            let chunk = bytes.dropFirst(index * chunkByteCount).prefix(chunkByteCount)
            return Fragment(
                sender: sender, generation: generation, index: index, count: count, chunk: Array(chunk))
        }
    }

    var bytes: [UInt8] {
        let place = UInt8(index << 4 | (count - 1))
        return sender.bigEndianBytes + generation.bigEndianBytes + [place] + chunk
    }
}

extension Fragment {
    /// Reads a fragment, or returns `nil` for anything that ``bytes`` does not write.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Fragment.headerByteCount else { return nil }
        sender = UInt32(truncatingIfNeeded: bytes[..<4].bigEndianNumber)
        generation = UInt16(truncatingIfNeeded: bytes[4..<6].bigEndianNumber)
        (index, count) = (Int(bytes[6] >> 4), Int(bytes[6] & 15) + 1)
        chunk = Array(bytes[Fragment.headerByteCount...])
        let isLast = index == count - 1
        guard index < count, chunk.count <= Fragment.chunkByteCount,
            isLast || chunk.count == Fragment.chunkByteCount
        else { return nil }
    }
}
