/// The byte order of a number.
enum ByteOrder: Sendable, Hashable {
    case little, big

    /// Returns up to eight bytes as one number; fewer than eight are unsigned.
    func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        let value =
            switch self {
            case .little: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            case .big: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
        return Int(truncatingIfNeeded: value)
    }

    /// Returns the lowest `count` bytes of a number, eight at most.
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return self == .little ? little : little.reversed()
    }
}
