import Glibc
import Signal

/// What is heard besides the transmission. Levels in decibels are over its mean power while on air.
public struct Surroundings: Sendable {
    public struct Tone: Sendable, Hashable {
        public var frequencyHz: Double
        public var levelDecibels: Double

        public init(frequencyHz: Double, levelDecibels: Double) {
            self.frequencyHz = frequencyHz
            self.levelDecibels = levelDecibels
        }
    }

    public struct Programme: Sendable {
        public var samples: [Float]
        public var sampleRateHz: Double
        public var levelDecibels: Double

        public init(samples: [Float], sampleRateHz: Double, levelDecibels: Double) {
            self.samples = samples
            self.sampleRateHz = sampleRateHz
            self.levelDecibels = levelDecibels
        }
    }

    /// Keys, cutlery, clicks of a switch: short bursts of all frequencies at random instants.
    public struct Clicks: Sendable, Hashable {
        public var perSecond: Double
        /// Of a click's first instant.
        public var levelDecibels: Double

        public init(perSecond: Double, levelDecibels: Double) {
            self.perSecond = perSecond
            self.levelDecibels = levelDecibels
        }
    }

    public enum Noise: Sendable, Hashable {
        case none
        case ebN0Decibels(Double)
        case inBandSNRDecibels(Double)
    }

    public var programme: Programme?
    public var tone: Tone?
    public var clicks: Clicks?
    public var noise = Noise.none

    public init() {}

    /// - Parameter bitCount: payload bits that the measured transmission carries.
    func add(
        to recording: inout [Float], measuredBy onAir: OnAirMeasurement, bitCount: Int, sampleRateHz: Double,
        seed: UInt64
    ) -> NoiseLevel? {
        var random = SplitMix64(seed: seed)
        let (noiseSeed, clickSeed, phaseCycles) = (random.next(), random.next(), random.nextUnit())
        if let programme {
            let samples = TimeWarp(compression: 1).apply(
                to: programme.samples, fromHz: programme.sampleRateHz, toHz: sampleRateHz)
            Impairments.addProgramme(
                samples, to: &recording, levelDecibels: programme.levelDecibels, signalPower: onAir.meanPower)
        }
        if let tone {
            Impairments.addTone(
                to: &recording, frequencyHz: tone.frequencyHz, levelDecibels: tone.levelDecibels,
                signalPower: onAir.meanPower, sampleRateHz: sampleRateHz, phaseCycles: phaseCycles)
        }
        if let clicks {
            Impairments.addClicks(
                to: &recording, perSecond: clicks.perSecond, levelDecibels: clicks.levelDecibels,
                signalPower: onAir.meanPower, sampleRateHz: sampleRateHz, seed: clickSeed)
        }
        guard let level = noiseLevel(onAir, bitCount: bitCount, sampleRateHz: sampleRateHz) else {
            return nil
        }
        var source = NoiseSource(seed: noiseSeed)
        source.add(to: &recording, sigma: level.sigma)
        return level
    }

    private func noiseLevel(
        _ onAir: OnAirMeasurement, bitCount: Int, sampleRateHz: Double
    ) -> NoiseLevel? {
        switch noise {
        case .none: nil
        case .ebN0Decibels(let decibels):
            NoiseLevel(
                ebN0Decibels: decibels, energy: onAir.energy, bitCount: bitCount,
                durationSeconds: onAir.durationSeconds, sampleRateHz: sampleRateHz)
        case .inBandSNRDecibels(let decibels):
            NoiseLevel(
                inBandSNRDecibels: decibels, energy: onAir.energy, bitCount: bitCount,
                durationSeconds: onAir.durationSeconds, sampleRateHz: sampleRateHz)
        }
    }
}
