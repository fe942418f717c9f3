import Glibc
import Signal

/// Further impairments of sound, each a pure function of samples.
public enum Impairments {
    /// Adds a steady tone of `levelDecibels` over a signal's mean power.
    package static func addTone(
        to samples: inout [Float], frequencyHz: Double, levelDecibels: Double, signalPower: Double,
        sampleRateHz: Double, phaseCycles: Double = 0
    ) {
        let amplitude = (2 * signalPower * pow(10, levelDecibels / 10)).squareRoot()
        for i in samples.indices {
            let cycles = frequencyHz / sampleRateHz * Double(i) + phaseCycles
            samples[i] += Float(amplitude * cos(2 * .pi * (cycles - cycles.rounded(.down))))
        }
    }

    /// Clips the peaks of a `fraction` of the samples; 0 changes nothing.
    public static func clip(_ samples: inout [Float], fraction: Double) {
        guard fraction > 0, !samples.isEmpty else { return }
        let magnitudes = samples.map(\.magnitude).sorted()
        let limit = magnitudes[min(Int(Double(samples.count) * (1 - fraction)), samples.count - 1)]
        for i in samples.indices { samples[i] = min(max(samples[i], -limit), limit) }
    }

    /// Adds a programme, looped, at `levelDecibels` over a signal's mean power.
    package static func addProgramme(
        _ programme: [Float], to samples: inout [Float], levelDecibels: Double, signalPower: Double
    ) {
        let power = programme.reduce(0.0) { $0 + Double($1 * $1) } / Double(max(programme.count, 1))
        guard power > 0 else { return }
        let gain = Float((signalPower * pow(10, levelDecibels / 10) / power).squareRoot())
        for i in samples.indices { samples[i] += gain * programme[i % programme.count] }
    }

    /// The time constant of a click: white noise that dies away within some milliseconds.
    private static let clickTimeConstantSeconds = 0.0005

    /// Adds clicks at random instants (Poisson's), each of `levelDecibels` over a signal's mean power in its
    /// first instant.
    public static func addClicks(
        to samples: inout [Float], perSecond: Double, levelDecibels: Double, signalPower: Double,
        sampleRateHz: Double, seed: UInt64
    ) {
        guard perSecond > 0 else { return }
        var instants = SplitMix64(seed: seed)
        var noise = NoiseSource(seed: instants.next())
        let amplitude = (signalPower * pow(10, levelDecibels / 10)).squareRoot()
        let constant = clickTimeConstantSeconds * sampleRateHz
        var start = 0.0
        while true {
            start -= log(instants.nextUnit()) / perSecond * sampleRateHz
            guard start < Double(samples.count) else { return }
            for i in 0..<min(Int(10 * constant), samples.count - Int(start)) {
                samples[Int(start) + i] += Float(amplitude * exp(-Double(i) / constant)) * noise.next()
            }
        }
    }

    /// Turns the gain down by `decibels` at `firstSample`, up again an interval later, and so on.
    package static func stepGain(
        _ samples: inout [Float], decibels: Double, firstSample: Int, intervalSamples: Int
    ) {
        let gain = Float(pow(10, -decibels / 20))
        let interval = max(1, intervalSamples)
        for start in stride(from: firstSample, to: samples.count, by: 2 * interval) {
            for i in start..<min(start + interval, samples.count) { samples[i] *= gain }
        }
    }

    /// Writes a gap of zeros; its part beyond either end is left out.
    public static func silence(_ samples: inout [Float], fromSample first: Int, count: Int) {
        for i in max(0, first)..<max(0, first, min(samples.count, first + count)) { samples[i] = 0 }
    }
}
