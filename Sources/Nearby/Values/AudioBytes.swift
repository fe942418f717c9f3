/// A few bytes that sound carries as they are, without a registry: every device that hears them receives
/// them.
///
/// The length of a frame distinguishes them from a token:
///
///     token:      8 bytes
///     bytes:      | 0xA0 + count | 1 … 10 bytes | zeros, up to 9 bytes in all |
public struct AudioBytes: Sendable, Hashable {
    /// The bytes, without the framing that ``frame`` adds.
    public let bytes: [UInt8]

    /// The allowed counts of ``bytes``. For more bytes, publish a ``Message``.
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

    /// The frame that the modem carries.
    public var frame: [UInt8] {
        let frame = [AudioBytes.mark + UInt8(bytes.count)] + bytes
        return frame + Array(repeating: 0, count: max(0, AudioBytes.shortestFrame - frame.count))
    }

    /// Reads a frame, or returns `nil` if the frame holds something else.
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
