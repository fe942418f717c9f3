import ChannelSim
import Glibc
import Signal

/// Audible sound from one place, such as a television or a radio. Its level at a device includes distance,
/// walls and reverberation. Its delay and its echoes are left out, because receivers here cannot tell the
/// difference.
package struct Programme: Sendable {
    package var place: SIMD3<Double>
    /// The mean level at 1 m.
    package var decibelsSPL: Double
    /// The samples at 48 kHz, with a mean square of 1. They repeat from the beginning after their end.
    let samples: [Float]

    /// - Parameter samples: samples at 48 kHz that are not all zero.
    package init(place: SIMD3<Double>, decibelsSPL: Double, samples: [Float]) {
        (self.place, self.decibelsSPL) = (place, decibelsSPL)
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        precondition(power > 0, "a programme sounds")
        let scale = Float(1 / power.squareRoot())
        self.samples = samples.map { $0 * scale }
    }

    /// Returns ten seconds, repeated for ever, of a sound like speech over music.
    ///
    /// It is noise with the long-term spectrum of speech, flat to 500 Hz and falling by 9 dB an octave from
    /// there, in syllables of a quarter of a second. Over 16 kHz, where a broadcast's coder ends, the rest
    /// lies under −50 dB. Reference: Byrne et al., *An International Comparison of Long-Term Average Speech
    /// Spectra*, JASA 96, 1994.
    package static func television(
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

    /// Returns a smooth gain from a fifth of the loudness to all of it and back, which adds no sound in the
    /// band.
    private static func syllable(_ seconds: Double) -> Float {
        let turn = 2 * Double.pi * seconds
        return Float(0.6 + 0.25 * cos(4 * turn) + 0.15 * cos(0.7 * turn))
    }
}
