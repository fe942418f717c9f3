/// A few bytes that whoever shares a key with their sender can read. The engine carries them between its ``TokenRegistry`` and the
/// media, and knows nothing of what is in them.
///
/// In a frame they are told from a token (8 bytes) and from ``AudioBytes`` (9 to 11) by their length.
public struct SealedFrame: Sendable, Hashable {
    /// As they go on air; as many as ``byteCounts`` says.
    public let bytes: [UInt8]

    /// Up to what the waveforms for tokens carry.
    public static let byteCounts = 16...32

    /// Nil unless there are as many as ``byteCounts`` says.
    public init?(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard SealedFrame.byteCounts.contains(self.bytes.count) else { return nil }
    }
}
