import Glibc
import Signal

/// Further things that happen to sound on its way, each a pure function of samples.
public enum Impairments {
    /// Adds a steady tone of `level` dB over a signal's mean power.
    public static func addTone(
        to samples: inout [Float], frequencyHz: Double, levelDecibels: Double, signalPower: Double,
        sampleRateHz: Double, phaseCycles: Double = 0
    ) {
        let amplitude = (2 * signalPower * pow(10, levelDecibels / 10)).squareRoot()
        for i in samples.indices {
            let cycles = frequencyHz / sampleRateHz * Double(i) + phaseCycles
            samples[i] += Float(amplitude * cos(2 * .pi * (cycles - cycles.rounded(.down))))
        }
    }

    /// Cuts the peaks off so that `fraction` of the samples are clipped; 0 leaves all as it is.
    public static func clip(_ samples: inout [Float], fraction: Double) {
        guard fraction > 0, !samples.isEmpty else { return }
        let magnitudes = samples.map(\.magnitude).sorted()
        let limit = magnitudes[min(Int(Double(samples.count) * (1 - fraction)), samples.count - 1)]
        for i in samples.indices { samples[i] = min(max(samples[i], -limit), limit) }
    }

    /// Adds a programme, looped, at `level` dB over a signal's mean power.
    public static func addProgramme(
        _ programme: [Float], to samples: inout [Float], levelDecibels: Double, signalPower: Double
    ) {
        let power = programme.reduce(0.0) { $0 + Double($1 * $1) } / Double(max(programme.count, 1))
        guard power > 0 else { return }
        let gain = Float((signalPower * pow(10, levelDecibels / 10) / power).squareRoot())
        for i in samples.indices { samples[i] += gain * programme[i % programme.count] }
    }
}
