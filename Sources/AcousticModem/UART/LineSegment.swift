import Signal

/// A framed byte, or idling at mark, as the likeliest reading of the line has it.
struct LineSegment: Sendable {
    enum Content: Sendable, Hashable {
        case byte(UInt8)
        case idle
    }

    var content: Content
    /// In tenths of a bit from the first sample.
    var startStep: SamplePosition
    var endStep: SamplePosition
    var tones = ToneEvidence()
    /// Start and stop bits whose tone was the weaker.
    var wrongFramingBits = 0

    var isByte: Bool { content != .idle }
}

/// Sums over bits of what their tones hold.
struct ToneEvidence: Sendable {
    var bitCount: Int64 = 0
    /// Amplitude and energy of the tone that was read.
    var amplitude: Float = 0
    var energy: Float = 0
    /// Energy that the tone read leaves unexplained.
    var residue: Float = 0

    mutating func add(amplitude bit: Float, residue left: Float) {
        bitCount += 1
        amplitude += bit
        energy += bit * bit
        residue += left
    }

    static func += (sum: inout ToneEvidence, other: ToneEvidence) {
        sum.bitCount += other.bitCount
        sum.amplitude += other.amplitude
        sum.energy += other.energy
        sum.residue += other.residue
    }
}
