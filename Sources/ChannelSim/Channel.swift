import Glibc
import Signal

/// A simulated way from speaker to microphone, with everything on it that was asked for, in this order:
///
///     transmission ─ motion, clock, sample rate ─ room ─ silence around ─ + programme ─ + tone ─ + noise ─ clipping
///
/// Deterministic: the same seed gives the same room and the same noise. Levels are set against the transmission as it
/// arrives on average over rooms; see ``ChannelReport`` for what became of them.
public struct Channel: Sendable {
    public struct Reverberation: Sendable, Hashable {
        public var rt60Seconds: Double
        /// Direct over reverberant energy.
        public var drrDecibels: Double

        public init(rt60Seconds: Double, drrDecibels: Double) {
            self.rt60Seconds = rt60Seconds
            self.drrDecibels = drrDecibels
        }
    }

    public struct Tone: Sendable, Hashable {
        public var frequencyHz: Double
        /// Its power over the transmission's mean power.
        public var levelDecibels: Double

        public init(frequencyHz: Double, levelDecibels: Double) {
            self.frequencyHz = frequencyHz
            self.levelDecibels = levelDecibels
        }
    }

    public struct Programme: Sendable {
        public var samples: [Float]
        public var sampleRateHz: Double
        /// Its mean power over the transmission's mean power.
        public var levelDecibels: Double

        public init(samples: [Float], sampleRateHz: Double, levelDecibels: Double) {
            self.samples = samples
            self.sampleRateHz = sampleRateHz
            self.levelDecibels = levelDecibels
        }
    }

    public enum Noise: Sendable, Hashable {
        case none
        case ebN0Decibels(Double)
        case inBandSNRDecibels(Double)
    }

    public var warp = TimeWarp(compression: 1)
    public var reverberation: Reverberation?
    public var programme: Programme?
    public var tone: Tone?
    public var noise = Noise.none
    /// Share of the recording's samples that the microphone cuts off.
    public var clippedFraction = 0.0
    public var leadSeconds = 0.0
    public var trailSeconds = 0.0
    /// Payload bits the whole transmission carries.
    public var bitCount = 64
    /// Of the recording.
    public var sampleRateHz = 48_000.0

    public init() {}

    /// Shape: `[n]` at `fromHz` → the recording at `sampleRateHz`, as loud as it arrived. Nil when `samples` are
    /// silent: there is nothing to set levels against.
    public func apply(
        to samples: [Float], fromHz: Double, seed: UInt64
    ) -> (recording: [Float], report: ChannelReport)? {
        var random = SplitMix64(seed: seed)
        let direct = warp.apply(
            to: samples, fromHz: fromHz, toHz: sampleRateHz, delaySamples: random.nextUnit())
        let (roomSeed, noiseSeed) = (random.next(), random.next())
        guard let onAir = OnAirMeasurement(direct, sampleRateHz: sampleRateHz) else { return nil }
        let arrived = reverberated(direct, seed: roomSeed)
        var recording = [Float](repeating: 0, count: Int((leadSeconds * sampleRateHz).rounded()))
        recording += arrived
        recording += repeatElement(0, count: Int((trailSeconds * sampleRateHz).rounded()))
        addOtherSound(to: &recording, signalPower: onAir.meanPower)
        let level = noiseLevel(onAir)
        if let level {
            var source = NoiseSource(seed: noiseSeed)
            source.add(to: &recording, sigma: level.sigma)
        }
        Impairments.clip(&recording, fraction: clippedFraction)
        let arrivedEnergy = arrived.reduce(0.0) { $0 + Double($1) * Double($1) }
        let report = ChannelReport(
            onAir: onAir, bitCount: bitCount, noise: level,
            roomGainDecibels: 10 * log10(arrivedEnergy / onAir.energy))
        return (recording, report)
    }

    private func reverberated(_ direct: [Float], seed: UInt64) -> [Float] {
        guard let reverberation else { return direct }
        let room = ReverberantRoom(
            rt60Seconds: reverberation.rt60Seconds, drrDecibels: reverberation.drrDecibels,
            sampleRateHz: sampleRateHz, seed: seed)
        return room.apply(to: direct)
    }

    private func addOtherSound(to recording: inout [Float], signalPower: Double) {
        if let programme {
            let samples = TimeWarp(compression: 1).apply(
                to: programme.samples, fromHz: programme.sampleRateHz, toHz: sampleRateHz)
            Impairments.addProgramme(
                samples, to: &recording, levelDecibels: programme.levelDecibels, signalPower: signalPower)
        }
        if let tone {
            Impairments.addTone(
                to: &recording, frequencyHz: tone.frequencyHz, levelDecibels: tone.levelDecibels,
                signalPower: signalPower, sampleRateHz: sampleRateHz)
        }
    }

    private func noiseLevel(_ onAir: OnAirMeasurement) -> NoiseLevel? {
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
