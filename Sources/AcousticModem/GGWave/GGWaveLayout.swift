import Coding

/// The parts of a ggwave message of a length.
///
///     variable:  | start marker | length, 2 parity | message | parity | end marker |
///     fixed:                                       | message | parity |
///
/// A chunk carries as many nibbles as there are tones at once, low nibbles first.
struct GGWaveLayout: Sendable, Hashable {
    let waveform: GGWaveProtocol
    let messageByteCount: Int
    let isFixed: Bool

    /// The number of bytes of the length and its parity.
    static let headerByteCount = 3
    static let headerCode = ReedSolomon(parityCount: 2)

    var headerByteCount: Int { isFixed ? 0 : GGWaveLayout.headerByteCount }

    var parityByteCount: Int { messageByteCount < 4 ? 2 : max(4, messageByteCount / 5 * 2) }

    /// The number of bytes of the message and its parity.
    var codedByteCount: Int { messageByteCount + parityByteCount }
    /// The number of nibbles without the zeros that fill the last chunk.
    var nibbleCount: Int { 2 * (headerByteCount + codedByteCount) }
    var chunkCount: Int { (nibbleCount + waveform.nibblesPerChunk - 1) / waveform.nibblesPerChunk }

    /// The samples from the start of the message to its first chunk.
    var dataOffset: Int { isFixed ? 0 : GGWaveProtocol.markerSamples }
    /// The samples from the start of the message to the end of its last chunk.
    var dataEnd: Int { dataOffset + chunkCount * waveform.samplesPerChunk }
    var sampleCount: Int { dataEnd + dataOffset }
}
