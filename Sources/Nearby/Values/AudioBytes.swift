/// A few bytes that go by sound as they are, with no registry between: whoever hears them has them.
///
/// In a frame they are told from a token by its length:
///
///     token:      8 bytes
///     bytes:      | 0xA0 + count | 1 … 10 bytes | zeros, up to 9 bytes in all |
public struct AudioBytes: Sendable, Hashable {
    /// Without what a ``frame`` puts around them.
    public let bytes: [UInt8]

    /// Of ``bytes``: for more, publish a ``Message``.
    public static let byteCounts = 1...10
    private static let mark: UInt8 = 0xA0
    private static let shortestFrame = Token.byteCount + 1

    /// Throws: `.audioBytesOutOfRange`.
    public init(_ bytes: some Sequence<UInt8>) throws(NearbyError) {
        self.bytes = Array(bytes)
        guard AudioBytes.byteCounts.contains(self.bytes.count) else {
            throw .audioBytesOutOfRange(byteCount: self.bytes.count)
        }
    }

    /// What the modem carries.
    public var frame: [UInt8] {
        let frame = [AudioBytes.mark + UInt8(bytes.count)] + bytes
        return frame + Array(repeating: 0, count: max(0, AudioBytes.shortestFrame - frame.count))
    }

    /// Nil when the frame holds something else.
    public init?(frame: [UInt8]) {
        guard frame.count >= AudioBytes.shortestFrame, let first = frame.first, first > AudioBytes.mark else {
            return nil
        }
        let count = Int(first - AudioBytes.mark)
        guard AudioBytes.byteCounts.contains(count), frame.count == max(count + 1, AudioBytes.shortestFrame),
            frame.dropFirst(count + 1).allSatisfy({ $0 == 0 })
        else { return nil }
        bytes = Array(frame[1...count])
    }
}
