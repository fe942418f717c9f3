/// A few sealed bytes that only devices with the sender's key can read. The engine carries them between its
/// ``TokenRegistry`` and the media, and knows nothing of their content.
///
/// The length of a frame distinguishes them from a token (8 bytes) and from ``AudioBytes`` (9 to 11).
public struct SealedFrame: Sendable, Hashable {
    /// The bytes as they go on air; their count is in ``byteCounts``.
    public let bytes: [UInt8]

    /// The allowed byte counts, up to the most that the waveforms for tokens carry.
    public static let byteCounts = 16...32

    /// Creates a frame, or returns `nil` if the number of bytes is not in ``byteCounts``.
    public init?(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard SealedFrame.byteCounts.contains(self.bytes.count) else { return nil }
    }
}
