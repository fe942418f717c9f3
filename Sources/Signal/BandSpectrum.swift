import Glibc

/// A measure of the power at each frequency, in units of a full-scale sine's power. Hann windows.
package struct BandSpectrum: Sendable {
    /// The samples of a window: 43 ms at 48 kHz.
    package static let window = 2048

    package let sampleRateHz: Double
    private let transform = FFT(count: BandSpectrum.window)
    private let shape: [Float]
    private var spectrum: [Complex]

    package init(sampleRateHz: Double) {
        self.sampleRateHz = sampleRateHz
        // Half the sine's power, times the window's mean square 3/8, is on each side: window² · 3/32.
        let scale = 1 / (Double(BandSpectrum.window) * (3.0 / 32).squareRoot())
        shape = (0..<BandSpectrum.window).map { n in
            let phase = 2 * Double.pi * Double(n) / Double(BandSpectrum.window)
            return Float(scale * (0.5 - 0.5 * cos(phase)))
        }
        spectrum = [Complex](repeating: .zero, count: BandSpectrum.window)
    }

    /// Returns the bins of a band, without those above half the sample rate.
    package func bins(_ bandHz: ClosedRange<Double>) -> Range<Int> {
        let binHz = sampleRateHz / Double(BandSpectrum.window)
        let first = max(0, Int((bandHz.lowerBound / binHz).rounded()))
        return
            first..<max(first, min(BandSpectrum.window / 2, Int((bandHz.upperBound / binHz).rounded()) + 1))
    }

    /// Returns the power of each bin over one window. `samples`: `[window]` → `[window / 2]`
    package mutating func powers(_ samples: ArraySlice<Float>) -> [Float] {
        precondition(samples.count == BandSpectrum.window, "one window of samples")
        var powers = [Float](repeating: 0, count: BandSpectrum.window / 2)
        spectrum.withUnsafeMutableBufferPointer { spectrum in
            samples.withUnsafeBufferPointer { samples in
                for n in spectrum.indices { spectrum[n] = Complex(samples[n] * shape[n], 0) }
            }
            transform.forward(spectrum.baseAddress!)
            _ = Kernels.powers(spectrum.baseAddress!, powers.count, into: &powers)
        }
        return powers
    }

    /// Returns the mean power of a band over windows that overlap by half, in dB below a full-scale sine;
    /// `nil` if the samples do not fill a window.
    ///
    /// Two windows share one transform, as its real and its imaginary part: what they hold together, their
    /// bins k and −k hold.
    package mutating func levelDBFS(_ samples: [Float], bandHz: ClosedRange<Double>) -> Double? {
        let (window, step) = (BandSpectrum.window, BandSpectrum.window / 2)
        guard samples.count >= window else { return nil }
        let count = (samples.count - window) / step + 1
        let bins = bins(bandHz)
        var sum: Float = 0
        for first in stride(from: 0, to: count, by: 2) {
            samples.withUnsafeBufferPointer { samples in
                let one = samples.baseAddress! + first * step
                let other = first + 1 < count ? one + step : nil
                for n in 0..<window {
                    spectrum[n] = Complex(one[n] * shape[n], other.map { $0[n] * shape[n] } ?? 0)
                }
            }
            spectrum.withUnsafeMutableBufferPointer { spectrum in
                transform.forward(spectrum.baseAddress!)
                for bin in bins { sum += spectrum[bin].power + spectrum[(window - bin) % window].power }
            }
        }
        return BandSpectrum.dBFS(Double(sum) / 2 / Double(count))
    }

    /// Returns a band's part of the result of ``powers(_:)``.
    package func power(_ powers: [Float], of bandHz: ClosedRange<Double>) -> Double {
        bins(bandHz).reduce(0) { $0 + Double(powers[$1]) }
    }

    /// Returns the level of a power in units of a full-scale sine's.
    package static func dBFS(_ power: Double) -> Double { 10 * log10(max(power, 1e-15)) }
}
