import Glibc
import Signal

/// The sounds besides the transmission. Levels in decibels are over its mean power while on air.
public struct Surroundings: Sendable {
    /// A steady sine, at a random phase.
    public struct Tone: Sendable, Hashable {
        /// The frequency, within half the recording's rate.
        public var frequencyHz: Double
        /// The tone's mean power, over the transmission's while on air.
        public var levelDecibels: Double

        /// - Parameter levelDecibels: the mean power over the transmission's while on air.
        public init(frequencyHz: Double, levelDecibels: Double) {
            self.frequencyHz = frequencyHz
            self.levelDecibels = levelDecibels
        }
    }

    /// Music or speech from elsewhere, looped as long as the recording lasts.
    public struct Programme: Sendable {
        /// The samples of one channel, at any level: ``levelDecibels`` scales them; silence adds nothing.
        public var samples: [Float]
        /// The sample rate of ``samples``; they are resampled to the recording's.
        public var sampleRateHz: Double
        /// The programme's mean power, over the transmission's while on air.
        public var levelDecibels: Double

        /// - Parameter levelDecibels: the mean power over the transmission's while on air.
        public init(samples: [Float], sampleRateHz: Double, levelDecibels: Double) {
            self.samples = samples
            self.sampleRateHz = sampleRateHz
            self.levelDecibels = levelDecibels
        }
    }

    /// Sounds of keys, cutlery, or a switch: short bursts of all frequencies at random instants.
    public struct Clicks: Sendable, Hashable {
        /// The mean number of clicks per second at Poisson instants; 0 for none.
        public var perSecond: Double
        /// The level of a click's first instant.
        public var levelDecibels: Double

        /// - Parameter levelDecibels: the level of a click's first instant, over the transmission's mean
        ///   power while on air.
        public init(perSecond: Double, levelDecibels: Double) {
            self.perSecond = perSecond
            self.levelDecibels = levelDecibels
        }
    }

    /// The level of white noise, by either definition.
    public enum Noise: Sendable, Hashable {
        /// No noise, and no level to report.
        case none
        /// The energy of a payload bit over the noise density: ``NoiseLevel/ebN0Decibels``.
        case ebN0Decibels(Double)
        /// The mean power while on air over the noise in 18.5–20 kHz: ``NoiseLevel/inBandSNRDecibels``.
        case inBandSNRDecibels(Double)
    }

    /// The programme; `nil` if nothing plays elsewhere.
    public var programme: Programme?
    /// The tone; `nil` if there is none.
    public var tone: Tone?
    /// The clicks; `nil` if there are none.
    public var clicks: Clicks?
    /// The white noise over the whole recording, added last.
    public var noise = Noise.none

    /// Creates silent surroundings.
    public init() {}

    /// - Parameter bitCount: the number of payload bits that the measured transmission carries.
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
