import Glibc

/// The step from bytes to samples: two tones of continuous phase. Opposite: ``UARTReceiver``.
struct UARTModulator: Sendable {
    let profile: UARTProfile
    let sampleRateHz: Double

    /// Shape: bytes → samples at `sampleRateHz`, peak 1, drawn at ``UARTProfile``.
    ///
    /// The phase at a sample is the integral of the tones up to it, with each bit's edge at its exact time.
    func modulate(_ bytes: [UInt8], delaySamples: Double = 0) -> [Float] {
        let bits = UARTModulator.bits(of: bytes)
        let samplesPerBit = sampleRateHz / profile.baud
        let count = Int((profile.durationSeconds(tokenByteCount: bytes.count) * sampleRateHz).rounded(.up))
        var (bit, cyclesBefore) = (0, 0.0)  // of the bit that holds the sample, and up to it
        return (0..<count).map { n in
            let sample = Double(n) - delaySamples
            while bit < bits.count && sample >= Double(bit + 1) * samplesPerBit {
                cyclesBefore += toneHz(bits[bit]) / profile.baud
                cyclesBefore -= cyclesBefore.rounded(.down)
                bit += 1
            }
            guard sample >= 0, bit < bits.count else { return 0 }
            let within = (sample - Double(bit) * samplesPerBit) / sampleRateHz
            return Float(sin(2 * .pi * (cyclesBefore + within * toneHz(bits[bit]))))
        }
    }

    private func toneHz(_ isMark: Bool) -> Double { isMark ? profile.markHz : profile.spaceHz }

    /// Returns leader, bytes framed by start and stop bits, and trailer; true is mark.
    static func bits(of bytes: [UInt8]) -> [Bool] {
        var bits = [Bool](repeating: true, count: UARTProfile.leaderBitCount)
        for byte in bytes {
            bits.append(false)
            for place in 0..<8 { bits.append(byte >> place & 1 == 1) }
            bits.append(true)
        }
        return bits + [Bool](repeating: true, count: UARTProfile.trailerBitCount)
    }
}
