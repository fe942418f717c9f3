/// One message as NearbyOffline's devices publish it, cut into pieces that fit frames. Opposite: `Bulletin`
/// and `Assembly` there.
///
///     bulletin: | 0x10 | slot 1 | byte counts of namespace, type, content | these three |
///     fragment: | sender 4 | generation 2 | index 4 bits, count − 1 4 bits | chunk 1 … 17 |
struct OfflineBulletin {
    static let chunkByteCount = 17
    static let fragmentLimit = 16
    /// The greatest number of bytes of the three texts together.
    static let capacity = chunkByteCount * fragmentLimit - 5

    let bytes: [UInt8]

    /// Creates a bulletin; `nil` if it is longer than frames carry.
    init?(namespace: [UInt8], type: [UInt8], content: [UInt8]) {
        let fields = [namespace, type, content]
        guard fields.allSatisfy({ $0.count <= 255 }),
            fields.reduce(0, { $0 + $1.count }) <= OfflineBulletin.capacity
        else { return nil }
        bytes = [0x10, 1] + fields.map { UInt8($0.count) } + fields.joined()
    }

    func fragments(sender: UInt32, generation: UInt16) -> [[UInt8]] {
        let starts = Array(stride(from: 0, to: bytes.count, by: OfflineBulletin.chunkByteCount))
        return starts.enumerated().map { index, start in
            let place = UInt8(index << 4 | (starts.count - 1))
            return highestFirst(sender) + highestFirst(generation) + [place]
                + bytes[start...].prefix(OfflineBulletin.chunkByteCount)
        }
    }
}
