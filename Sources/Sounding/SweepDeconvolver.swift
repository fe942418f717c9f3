import Glibc
import Signal

/// The inverse filter: it turns one sweep of a recording into its response over frequency and over delay.
///
///     H(f) = Y(f) / S(f) within 15.8–21.95 kHz,   h = F⁻¹ H
///
/// Division by the sweep's own spectrum removes its ripple, which a matched filter would square. `Y` reaches
/// from ``leadSeconds`` before the sweep to its end and a period: h holds lags from −lead to a period, where
/// the next begins.
struct SweepDeconvolver {
    static let leadSeconds = 0.2
    static let bandHz = 15_850.0...21_900.0

    let sampleRateHz: Double
    let fft: FFT
    let leadCount: Int
    /// The powers |S(f)|² of the sweep at amplitude 1.
    let sweepPowers: [Double]
    private let inverse: [Complex]

    init(sampleRateHz: Double) {
        self.sampleRateHz = sampleRateHz
        leadCount = Int(SweepDeconvolver.leadSeconds * sampleRateHz)
        let sweep = Sweep(sampleRateHz: sampleRateHz).samples
        let span = SweepDeconvolver.leadSeconds + SoundingSignal.periodSeconds + 2 * Sweep.durationSeconds
        let fft = FFT(count: FFT.fitting(Int(span * sampleRateHz) + 1))
        self.fft = fft
        var spectrum = sweep.map { Complex($0) }
        spectrum += [Complex](repeating: .zero, count: fft.count - sweep.count)
        fft.forward(&spectrum)
        sweepPowers = spectrum.map { Double($0.power) }
        let band = Passband(
            flatHz: SweepDeconvolver.bandHz, edgeHz: 50, count: fft.count, sampleRateHz: sampleRateHz)
        inverse = spectrum.indices.map { bin in
            let gain = band.gain(bin: bin)
            return gain > 0 ? spectrum[bin].conjugate * (gain / spectrum[bin].power) : .zero
        }
    }

    /// Returns H, at positive frequencies only.
    ///
    /// - Parameter start: the sample that is lag 0; sound outside of the recording is silence.
    func response(_ recording: [Float], start: Int) -> [Complex] {
        let seconds = SoundingSignal.periodSeconds + Sweep.durationSeconds
        let first = start - leadCount
        let end = min(recording.count, start + Int(seconds * sampleRateHz))
        var spectrum = [Complex](repeating: .zero, count: fft.count)
        for i in max(0, first)..<max(0, first, end) { spectrum[i - first] = Complex(recording[i]) }
        fft.forward(&spectrum)
        for i in spectrum.indices { spectrum[i] *= inverse[i] }
        return spectrum
    }

    /// Returns h over lag, with its sample ``leadCount`` at lag 0; complex, an envelope.
    func impulse(_ response: [Complex]) -> [Complex] {
        var impulse = response
        fft.inverse(&impulse)
        let scale = 1 / Float(fft.count)
        for i in impulse.indices { impulse[i] *= scale }
        return impulse
    }

    /// Returns H of the arrivals within `lags` samples of ``impulse(_:)`` only.
    func response(of impulse: [Complex], within lags: Range<Int>) -> [Complex] {
        var gated = [Complex](repeating: .zero, count: fft.count)
        for i in lags.clamped(to: 0..<fft.count) { gated[i] = impulse[i] }
        fft.forward(&gated)
        return gated
    }

    func bins(_ bandHz: Range<Double>) -> Range<Int> {
        let binsPerHertz = Double(fft.count) / sampleRateHz
        return Int(
            (bandHz.lowerBound * binsPerHertz).rounded(.up))..<Int(
                (bandHz.upperBound * binsPerHertz).rounded(.up))
    }
}
