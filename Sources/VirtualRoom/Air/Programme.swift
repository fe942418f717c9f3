import ChannelSim
import Glibc
import Signal

/// Audible sound from one place: a television, a radio. It is heard as loud as its way leaves it, walls and
/// reverberation counted; when, and with which echoes, is left out: what listens here cannot tell.
public struct Programme: Sendable {
    public var place: SIMD3<Double>
    /// Mean level at 1 m.
    public var decibelsSPL: Double
    /// At 48 kHz, of mean square 1; begins again after its end.
    let samples: [Float]

    /// - Parameter samples: at 48 kHz, not all zero.
    public init(place: SIMD3<Double>, decibelsSPL: Double, samples: [Float]) {
        (self.place, self.decibelsSPL) = (place, decibelsSPL)
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        precondition(power > 0, "a programme sounds")
        let scale = Float(1 / power.squareRoot())
        self.samples = samples.map { $0 * scale }
    }

    /// Ten seconds of something like speech over music, for ever.
    ///
    /// Noise with the long-term spectrum of speech, flat to 500 Hz and down 9 dB an octave from there, in syllables of a
    /// quarter of a second; over 16 kHz, where a broadcast's coder ends, what is left lies under −50 dB.
    /// Reference: Byrne et al., *An International Comparison of Long-Term Average Speech Spectra*, JASA 96, 1994.
    public static func television(
        at place: SIMD3<Double>, decibelsSPL: Double = 65, seed: UInt64
    ) -> Programme {
        var random = SplitMix64(seed: seed)
        var noise = NoiseSource(seed: random.next())
        let fft = FFT(count: Int(10 * Band.sampleRateHz))
        var z = noise.samples(fft.count, sigma: 1).map { Complex($0) }
        fft.forward(&z)
        for bin in z.indices {
            let frequencyHz = Double(min(bin, fft.count - bin)) * Band.sampleRateHz / Double(fft.count)
            z[bin] *= Float(Decibels.amplitude(spectrumDecibels(frequencyHz)))
        }
        fft.inverse(&z)
        return Programme(
            place: place, decibelsSPL: decibelsSPL,
            samples: z.indices.map { z[$0].re * syllable(Double($0) / Band.sampleRateHz) })
    }

    private static func spectrumDecibels(_ frequencyHz: Double) -> Double {
        if frequencyHz < 80 { return -200 }
        return -9 * max(0, log2(frequencyHz / 500)) - (frequencyHz > 15_500 ? 30 : 0)
    }

    /// From a fifth of its loudness to all of it and back, smooth: no sound of its own up in the band.
    private static func syllable(_ seconds: Double) -> Float {
        let turn = 2 * Double.pi * seconds
        return Float(0.6 + 0.25 * cos(4 * turn) + 0.15 * cos(0.7 * turn))
    }
}
