import Coding
import Nearby

/// A random number generator with a seed of 32 random bytes, which the page gets from its browser. The
/// numbers are ChaCha20's stream: the same numbers for the same seed.
///
/// Reference: RFC 8439, section 2.4.
struct SeededRandom: RandomNumberGenerator, Sendable {
    static let seedByteCount = 32

    private let key: [UInt8]
    private var block: UInt64 = 0
    private var numbers: [UInt64] = []

    /// Creates a generator, or returns `nil` unless there are ``seedByteCount`` bytes.
    init?(seed: [UInt8]) {
        guard seed.count == SeededRandom.seedByteCount else { return nil }
        key = seed
    }

    mutating func next() -> UInt64 {
        if numbers.isEmpty {
            let nonce = (0..<12).map { $0 < 8 ? UInt8(truncatingIfNeeded: block >> (8 * $0)) : 0 }
            block += 1
            let zeros = [UInt8](repeating: 0, count: 64)
            let bytes = ChaCha20.xor(zeros, key: key, nonce: nonce, counter: 0)
            for start in stride(from: 56, through: 0, by: -8) {
                numbers.append(bytes[start..<start + 8].bigEndianNumber)
            }
        }
        return numbers.removeLast()
    }
}
