import AcousticModem
import ChannelSim
import Glibc
import Signal

/// What a trial's recording goes through. One value for a whole curve.
struct TrialConditions: Sendable {
    var profile: WaveformProfile
    var tokenByteCount: Int
    var repeats: Int
    /// Nil: uniform over ±1.5 m/s, drawn for each trial.
    var speedMetersPerSecond: Double?
    /// Nil: no reverberation.
    var rt60Seconds: Double?
    var drrDecibels: Double
    /// A steady tone: where, and its power over the signal's.
    var tone: ToneArgument?
    var lane: Int
    /// Nil: uniform over ±100 ppm, drawn for each trial.
    var skewPPM: Double?
    /// Of the samples, clipped.
    var clipFraction = 0.0
    /// Other sound at 48 kHz, its power over the signal's, and how the command line named it.
    var programme: (samples: [Float], argument: ProgrammeArgument)?
    /// Rate of the recording, which is brought back to 48 kHz; nil: 48 kHz.
    var recordedAtHz: Double?

    static let largestSpeed = 1.5
    static let largestSkew = 100e-6
    /// Silence before and after the frames, between which the start is drawn.
    static let slackSeconds = 5.0

    /// The command line that gives this, for tables.
    var description: String {
        var words = [
            "--profile", profile.name, "--token-bytes", "\(tokenByteCount)", "--repeats", "\(repeats)",
        ]
        words += ["--speed", speedMetersPerSecond.map { "\($0)" } ?? "random", "--lane", "\(lane)"]
        if let rt60Seconds { words += ["--rt60", "\(rt60Seconds)", "--drr", "\(drrDecibels)"] }
        if let tone { words += ["--tone", "\(tone.frequencyHz):\(tone.levelDecibels)"] }
        if let skewPPM { words += ["--skew", "\(skewPPM)"] }
        if clipFraction > 0 { words += ["--clip", "\(clipFraction)"] }
        if let programme {
            words += ["--programme", "\(programme.argument.path):\(programme.argument.levelDecibels)"]
        }
        if let recordedAtHz { words += ["--rate", "\(recordedAtHz)"] }
        return words.joined(separator: " ")
    }
}

/// One transmission at an unknown time, speed and skew, heard once. The same seed gives the same trial.
struct Trial {
    struct Outcome: Sendable {
        var isHeard = false
        var wrongTokens = 0
        /// Mean of what the receiver measured, when heard.
        var measuredEbN0: Double?
        var receiverSeconds = 0.0
    }

    private let conditions: TrialConditions
    private var random: SplitMix64

    init(_ conditions: TrialConditions, seed: UInt64) {
        self.conditions = conditions
        random = SplitMix64(seed: seed)
    }

    mutating func run(ebN0Decibels: Double) throws -> Outcome {
        let token = (0..<conditions.tokenByteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let speed =
            conditions.speedMetersPerSecond ?? (2 * random.nextUnit() - 1) * TrialConditions.largestSpeed
        let drawnSkew = (2 * random.nextUnit() - 1) * TrialConditions.largestSkew
        let compression = 1 + speed / 343 + (conditions.skewPPM.map { $0 * 1e-6 } ?? drawnSkew)
        let recording = try recording(of: token, compression: compression, ebN0Decibels: ebN0Decibels)
        return listen(to: recording, for: token)
    }

    /// Exact wideband Doppler: the waveform is evaluated at the receiver's sample times.
    private mutating func recording(
        of token: [UInt8], compression: Double, ebN0Decibels: Double
    ) throws -> [Float] {
        let rateHz = Receiver.sampleRateHz
        let transmitter = Transmitter(
            profile: conditions.profile, lane: conditions.lane, sampleRateHz: rateHz / compression)
        let clean = try transmitter.waveform(of: token, delaySamples: random.nextUnit())
        let energy = clean.reduce(0.0) { $0 + Double($1 * $1) }
        let level = NoiseLevel(
            ebN0Decibels: ebN0Decibels, energy: energy, bitCount: 8 * token.count,
            durationSeconds: conditions.profile.durationSeconds, sampleRateHz: rateHz)
        var received = clean
        if let rt60 = conditions.rt60Seconds {
            received = ReverberantRoom(
                rt60Seconds: rt60, drrDecibels: conditions.drrDecibels, sampleRateHz: rateHz,
                seed: random.next()
            ).apply(to: clean)
        }
        let period = Int((conditions.profile.repeatPeriodSeconds * rateHz / compression).rounded())
        let slack = Int(TrialConditions.slackSeconds * rateHz)
        let start = Int(random.nextUnit() * Double(slack - 9600)) + 4800
        var noise = NoiseSource(seed: random.next())
        var recording = noise.samples(
            slack + received.count + (conditions.repeats - 1) * period, sigma: level.sigma)
        for copy in 0..<conditions.repeats {
            let first = start + copy * period
            for i in received.indices { recording[first + i] += received[i] }
        }
        if let tone = conditions.tone {
            Impairments.addTone(
                to: &recording, frequencyHz: tone.frequencyHz, levelDecibels: tone.levelDecibels,
                signalPower: energy / Double(clean.count), sampleRateHz: rateHz,
                phaseCycles: random.nextUnit())
        }
        if let programme = conditions.programme {
            Impairments.addProgramme(
                programme.samples, to: &recording, levelDecibels: programme.argument.levelDecibels,
                signalPower: energy / Double(clean.count))
        }
        Impairments.clip(&recording, fraction: conditions.clipFraction)
        if let recordedAtHz = conditions.recordedAtHz {
            var there = Resampler(fromHz: rateHz, toHz: recordedAtHz)
            var back = Resampler(fromHz: recordedAtHz, toHz: rateHz)
            recording = back.process(there.process(recording) + there.finish()) + back.finish()
        }
        let peak = recording.reduce(Float(0)) { max($0, $1.magnitude) }
        for i in recording.indices { recording[i] *= 0.5 / peak }
        return recording
    }

    private func listen(to recording: [Float], for token: [UInt8]) -> Outcome {
        var outcome = Outcome()
        let before = CPUClock.threadSeconds()
        var receiver = Receiver(profiles: [conditions.profile])
        let reports = receiver.process(recording) + receiver.finish()
        outcome.receiverSeconds = CPUClock.threadSeconds() - before
        let right = reports.filter { $0.token == token }
        outcome.isHeard = !right.isEmpty
        outcome.wrongTokens = reports.count - right.count
        if !right.isEmpty {
            outcome.measuredEbN0 = right.reduce(0) { $0 + Double($1.ebN0Decibels) } / Double(right.count)
        }
        return outcome
    }
}

/// Processor time, which other programs on the machine do not count into.
enum CPUClock {
    static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
