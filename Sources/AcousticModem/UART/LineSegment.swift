import Signal

/// A framed byte, or idling at mark, in the likeliest reading of the line.
struct LineSegment: Sendable {
    enum Content: Sendable, Hashable {
        case byte(UInt8)
        case idle
    }

    var content: Content
    /// The ends in tenths of a bit from the first sample.
    var startStep: SamplePosition
    var endStep: SamplePosition
    var tones = ToneEvidence()
    /// The number of start and stop bits whose tone was the weaker one.
    var wrongFramingBits = 0

    var isByte: Bool { content != .idle }
}

/// Sums of the tones' measurements over bits.
struct ToneEvidence: Sendable {
    var bitCount: Int64 = 0
    /// The amplitude and the energy of the tone that was read.
    var amplitude: Float = 0
    var energy: Float = 0
    /// The energy that the tone read leaves unexplained.
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
