import Glibc
import Signal

/// What is heard besides the transmission. Levels in decibels are over its mean power while on air.
public struct Surroundings: Sendable {
    /// A steady sine, at a random phase.
    public struct Tone: Sendable, Hashable {
        /// Within half the recording's rate.
        public var frequencyHz: Double
        /// Its mean power, over the transmission's while on air.
        public var levelDecibels: Double

        /// - Parameter levelDecibels: over the transmission's mean power while on air.
        public init(frequencyHz: Double, levelDecibels: Double) {
            self.frequencyHz = frequencyHz
            self.levelDecibels = levelDecibels
        }
    }

    /// Music or speech from elsewhere, looped as long as the recording lasts.
    public struct Programme: Sendable {
        /// One channel, as loud as it likes: ``levelDecibels`` scales it; silence adds nothing.
        public var samples: [Float]
        /// Of ``samples``; they are resampled to the recording's.
        public var sampleRateHz: Double
        /// Its mean power, over the transmission's while on air.
        public var levelDecibels: Double

        /// - Parameter levelDecibels: over the transmission's mean power while on air.
        public init(samples: [Float], sampleRateHz: Double, levelDecibels: Double) {
            self.samples = samples
            self.sampleRateHz = sampleRateHz
            self.levelDecibels = levelDecibels
        }
    }

    /// Keys, cutlery, clicks of a switch: short bursts of all frequencies at random instants.
    public struct Clicks: Sendable, Hashable {
        /// On average: instants are Poisson's. 0: none.
        public var perSecond: Double
        /// Of a click's first instant.
        public var levelDecibels: Double

        /// - Parameter levelDecibels: of a click's first instant, over the transmission's mean power while on air.
        public init(perSecond: Double, levelDecibels: Double) {
            self.perSecond = perSecond
            self.levelDecibels = levelDecibels
        }
    }

    /// How loud white noise is, by either definition.
    public enum Noise: Sendable, Hashable {
        /// Silence; there is no level to report.
        case none
        /// By the energy of a payload bit over the noise density: ``NoiseLevel/ebN0Decibels``.
        case ebN0Decibels(Double)
        /// By the mean power while on air over the noise in 18.5–20 kHz: ``NoiseLevel/inBandSNRDecibels``.
        case inBandSNRDecibels(Double)
    }

    /// Nil: nothing plays elsewhere.
    public var programme: Programme?
    /// Nil: nothing whistles.
    public var tone: Tone?
    /// Nil: nobody makes any.
    public var clicks: Clicks?
    /// White, over the whole recording, added last.
    public var noise = Noise.none

    /// Silence.
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
