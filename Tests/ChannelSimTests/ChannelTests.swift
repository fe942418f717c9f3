import ChannelSim
import Glibc
import Signal
import Testing

/// Tests with a transmission that is a 19.2 kHz tone of a second with ramps: its mean power is near ½, and
/// its energy is known exactly.
@Suite struct ChannelTests {
    private let transmission: [Float] = (0..<48_000).map { n in
        let ramp = min(1, Double(min(n, 47_999 - n)) / 480)
        return Float(0.5 * ramp * cos(2 * .pi * 19_200 * Double(n) / 48_000))
    }

    /// The recording's noise, without its sound, has the variance that Eb/N0 requires, to 0.05 dB, seven
    /// standard errors of 96 000 samples' variance.
    @Test(arguments: [-5.0, 3, 20], [44_100.0, 48_000, 96_000])
    func noiseIsAsAsked(ebN0: Double, rateHz: Double) throws {
        var channel = Channel()
        channel.sampleRateHz = rateHz
        channel.trailSeconds = 1
        let clean = try #require(channel.apply(to: transmission, fromHz: 48_000, seed: 3))
        channel.surroundings.noise = .ebN0Decibels(ebN0)
        let (recording, report) = try #require(channel.apply(to: transmission, fromHz: 48_000, seed: 3))
        let noise = zip(recording, clean.recording).map { Double($0 - $1) }
        let variance = noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)
        let energy = clean.recording.reduce(0.0) { $0 + Double($1) * Double($1) }
        // σ² = N0 / 2 with energies as sums over samples.
        let measured = 10 * log10(energy / 64 / (2 * variance))
        #expect(abs(measured - ebN0) < 0.05)
        let level = try #require(report.noise)
        #expect(level.ebN0Decibels == ebN0)
    }

    /// Both SNRs agree with their definition: the noise's power in the band by its spectrum, and the signal's
    /// while it lasts.
    @Test func ratiosAreAsDefined() throws {
        var channel = Channel()
        channel.surroundings.noise = .inBandSNRDecibels(-4)
        let (_, report) = try #require(channel.apply(to: transmission, fromHz: 48_000, seed: 1))
        let level = try #require(report.noise)
        #expect(abs(level.inBandSNRDecibels + 4) < 1e-9)
        #expect(abs(level.fullBandSNRDecibels - (-4 - 10 * log10(24_000 / 1500.0))) < 1e-9)
        // This is modem.md's example: 64 bits in one second.
        #expect(abs(level.ebN0Decibels - level.inBandSNRDecibels - 13.7) < 0.1)
        #expect(abs(level.ebN0Decibels - level.fullBandSNRDecibels - 25.74) < 0.1)
        var noise = NoiseSource(seed: 2)
        let fft = FFT(count: 96_000)  // bins of half a hertz
        var bins = noise.samples(96_000, sigma: level.sigma).map { Complex($0) }
        fft.forward(&bins)
        let inBand = bins[37_000..<40_000].reduce(0.0) { $0 + Double($1.power) } * 2 / (96_000.0 * 96_000)
        // There are 3000 bins: 1.8 % standard error, 0.08 dB.
        #expect(abs(10 * log10(report.onAir.meanPower / inBand) + 4) < 0.4)
    }

    /// Pauses do not count as time on air, and all energy counts.
    @Test func pausesAreNotOnAir() throws {
        let gap = [Float](repeating: 0, count: 24_000)
        let once = try #require(OnAirMeasurement(transmission, sampleRateHz: 48_000))
        let twice = try #require(
            OnAirMeasurement(gap + transmission + gap + transmission, sampleRateHz: 48_000))
        #expect(abs(twice.energy / once.energy - 2) < 1e-9)
        #expect(abs(twice.durationSeconds - 2 * once.durationSeconds) < 0.011)
        #expect(abs(once.durationSeconds - 1) < 0.011)
        #expect(OnAirMeasurement(gap, sampleRateHz: 48_000) == nil)
    }

    /// The mean over rooms of the arriving energy is the sent energy, so that Eb/N0 means the same with and
    /// without a room. One room's gain for white sound spreads by 5 %, so the mean of 100 by 0.5 %; the bound
    /// is five of them.
    @Test func roomsKeepTheMeanEnergy() throws {
        var noise = NoiseSource(seed: 6)
        let white = noise.samples(24_000, sigma: 0.1)
        var channel = Channel()
        channel.path.room = .diffuse(rt60Seconds: 0.2, drrDecibels: -3)
        var gain = 0.0
        for seed in 0..<100 {
            let report = try #require(channel.apply(to: white, fromHz: 48_000, seed: UInt64(seed))).report
            gain += pow(10, report.roomGainDecibels / 10) / 100
        }
        #expect(abs(gain - 1) < 0.025)
    }

    @Test func toneAndProgrammeAreAsLoudAsAsked() throws {
        let clean = try #require(Channel().apply(to: transmission, fromHz: 48_000, seed: 3))
        for level in [-20.0, 0, 15] {
            var channel = Channel()
            channel.surroundings.tone = .init(frequencyHz: 19_000, levelDecibels: level)
            let tone = try #require(channel.apply(to: transmission, fromHz: 48_000, seed: 3))
            #expect(abs(added(tone.recording, clean) - level) < 0.02)
            channel.surroundings.tone = nil
            var music = NoiseSource(seed: 4)
            channel.surroundings.programme = .init(
                samples: music.samples(48_000, sigma: 0.1), sampleRateHz: 48_000, levelDecibels: level)
            let programme = try #require(channel.apply(to: transmission, fromHz: 48_000, seed: 3))
            #expect(abs(added(programme.recording, clean) - level) < 0.02)
        }
    }

    /// Returns the decibels of the added sound over the transmission's mean power.
    private func added(_ recording: [Float], _ clean: (recording: [Float], report: ChannelReport)) -> Double {
        let power = zip(recording, clean.recording).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
        return 10 * log10(power / Double(recording.count) / clean.report.onAir.meanPower)
    }

    @Test(arguments: [0.0, 0.01, 0.3]) func clipsTheShareAsked(fraction: Double) {
        var noise = NoiseSource(seed: 8)
        let original = noise.samples(100_000, sigma: 1)
        var clipped = original
        Impairments.clip(&clipped, fraction: fraction)
        let changed = zip(original, clipped).count { $0 != $1 }
        #expect(abs(Double(changed) - fraction * 100_000) <= 1)
    }

    @Test func sameSeedSameRecording() throws {
        var channel = Channel()
        channel.surroundings.noise = .ebN0Decibels(3)
        channel.path.room = .diffuse(rt60Seconds: 0.1, drrDecibels: 0)
        func recording(_ seed: UInt64) throws -> [Float] {
            try #require(channel.apply(to: transmission, fromHz: 48_000, seed: seed)).recording
        }
        #expect(try recording(1) == recording(1))
        #expect(try recording(1) != recording(2))
    }

    /// The recording of two senders is the sum of each one's, at its level and its time.
    @Test func sendersAreSummed() throws {
        let arrivals = try (1...2).map { seed in
            var path = SoundPath()
            path.speedMetersPerSecond = Double(seed)
            path.room = .shoebox(rt60Seconds: 0.2, pistonRadiusMeters: 0.01)
            return try #require(
                path.arrival(of: transmission, fromHz: 48_000, toHz: 48_000, seed: UInt64(seed)))
        }
        let (both, report) = Channel().record(
            [.init(arrivals[0]), .init(arrivals[1], startSeconds: 0.5, gainDecibels: -6)], seed: 1)
        #expect(report.onAir == arrivals[0].onAir)
        let gain = Float(pow(10, -0.3))
        for n in stride(from: 0, to: both.count, by: 97) {
            let first = n < arrivals[0].samples.count ? arrivals[0].samples[n] : 0
            let second = n >= 24_000 ? gain * arrivals[1].samples[n - 24_000] : 0
            #expect(abs(both[n] - first - second) < 1e-5)
        }
    }

    /// The energy is measured after speaker and microphone: Eb/N0 refers to the arriving sound.
    @Test func levelsAreMeasuredAfterTheResponse() throws {
        let plain = try #require(Channel().apply(to: transmission, fromHz: 48_000, seed: 1)).report
        var channel = Channel()
        channel.path.response.tiltDecibelsPerKilohertz = 40
        let tilted = try #require(channel.apply(to: transmission, fromHz: 48_000, seed: 1)).report
        #expect(abs(10 * log10(tilted.onAir.energy / plain.onAir.energy) + 2) < 0.1)
    }

    @Test func silenceHasNoLevel() {
        #expect(Channel().apply(to: [0, 0, 0], fromHz: 48_000, seed: 1) == nil)
        #expect(Channel().apply(to: [], fromHz: 48_000, seed: 1) == nil)
    }
}
