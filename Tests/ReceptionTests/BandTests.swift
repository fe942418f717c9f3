import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of waveforms in bands of their own, which are completely defined here as data.
@Suite struct BandTests {
    /// A profile from 15 to 18 kHz at 3000 chips a second.
    private static let wide = DSSSProfile(
        name: "wide", band: Band(centreHz: 16_500, halfWidthHz: 2360, decimation: 10),
        bandHz: 15_000...18_000, chipRateHz: 3000, gaussianBT: 0.3, codeLength: 1024, pilots: .standard,
        segmentCount: 1, rampChipCount: 30, scramblerFamily: 101, thresholdDecibels: 3)
    /// A profile from 11 to 13 kHz at 2000 chips a second, with pilots of its own.
    private static let low = DSSSProfile(
        name: "low", band: Band(centreHz: 12_000, halfWidthHz: 1570, decimation: 15),
        bandHz: 11_000...13_000, chipRateHz: 2000, gaussianBT: 0.3, codeLength: 512,
        pilots: PilotPattern(
            "+-+-+----+----++-++--", [0, 99, 272, 401, 467, 617], signs: "++-+--"),
        segmentCount: 1, rampChipCount: 20, scramblerFamily: 102, thresholdDecibels: 4)
    /// The profile `fsk`, 3 kHz lower.
    private static let tones = FSKProfile(
        name: "tones",
        tones: TonePlan(
            band: Band(centreHz: 16_200, halfWidthHz: 1180, decimation: 20), symbolSamples: 104,
            lowestBin: -30, subBandCount: 1),
        code: .threeBits, syncCount: 4, isForWalkers: false, scramblerFamily: 103, thresholdDecibels: nil)

    static let profiles = [WaveformProfile(wide), WaveformProfile(low), WaveformProfile(tones)]
    private let token: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    /// Returns frames that begin at these seconds, in noise by so many dB of Eb/N0, at 48 kHz.
    private func sound(
        _ frames: [(profile: WaveformProfile, token: [UInt8], second: Double)], ebN0Decibels: Double,
        speed: Double = 0, seconds: Double, seed: UInt64
    ) throws -> [Float] {
        var noise = NoiseSource(seed: seed)
        var samples: [Float] = []
        for (profile, token, second) in frames {
            let waveform = try Transmitter(profile: profile, sampleRateHz: 48_000 / (1 + speed / 343))
                .waveform(of: token)
            let energy = waveform.reduce(0.0) { $0 + Double($1 * $1) }
            if samples.isEmpty {
                let perBit = energy / Double(8 * token.count)
                let sigma = (perBit / pow(10, ebN0Decibels / 10) / 2).squareRoot()
                samples = noise.samples(Int(seconds * 48_000), sigma: Float(sigma))
            }
            for i in waveform.indices { samples[Int(second * 48_000) + i] += waveform[i] }
        }
        return samples.map { $0 * 0.05 }
    }

    /// The report has the token, its speed to 0.1 m/s, its start to a millisecond, and its level to 1 dB.
    @Test(arguments: profiles, [-1.2, 0, 0.7])
    func aFrameIsHeard(profile: WaveformProfile, speed: Double) throws {
        let samples = try sound(
            [(profile, token, 1.3)], ebN0Decibels: 12, speed: speed, seconds: 8, seed: 3)
        var receiver = Receiver(profiles: [profile])
        let reports = receiver.process(samples) + receiver.finish()
        #expect(reports.map(\.token) == [token])
        let report = try #require(reports.first)
        #expect(report.profile == profile)
        #expect(abs(report.startSeconds - 1.3) < 1e-3)
        #expect(abs(report.speedMetersPerSecond - Float(speed)) < 0.1)
        #expect(abs(report.ebN0Decibels - 12) < 1)
    }

    /// Four bands are listened in at once, and frames overlap in time. None is heard in another's place.
    @Test func bandsAreHeardSideBySide() throws {
        let frames = (Self.profiles + [.dsss]).enumerated().map { index, profile in
            (profile: profile, token: token.map { $0 ^ UInt8(index) }, second: 1 + 0.1 * Double(index))
        }
        let samples = try sound(frames, ebN0Decibels: 15, seconds: 9, seed: 4)
        var receiver = Receiver(profiles: WaveformProfile.nearby + Self.profiles)
        let reports = receiver.process(samples) + receiver.finish()
        #expect(reports.count == frames.count)
        for frame in frames {
            let own = reports.filter { $0.token == frame.token }
            #expect(own.map(\.profile) == [frame.profile])
        }
    }

    @Test(arguments: profiles) func chunksDoNotMatter(profile: WaveformProfile) throws {
        let samples = try sound([(profile, token, 0.2)], ebN0Decibels: 10, seconds: 6, seed: 5)
        var whole = Receiver(profiles: [profile])
        let expected = whole.process(samples) + whole.finish()
        #expect(expected.count == 1)
        var receiver = Receiver(profiles: [profile])
        var reports: [DecodeReport] = []
        for start in stride(from: 0, to: samples.count, by: 1009) {
            reports += receiver.process(Array(samples[start..<min(start + 1009, samples.count)]))
        }
        #expect(reports + receiver.finish() == expected)
    }

    /// 3000 chips a second have the same range as 1200: 96 % of 200 frames are heard at 3.5 dB, so that of 30
    /// fewer than 24 are heard once in a thousand times (binomial). Half of them come after 24 s of noise,
    /// when only starts with enough energy are searched.
    @Test(arguments: [0, 24]) func isAsSensitiveAsTheStandardBand(leadSeconds: Double) throws {
        var random = SplitMix64(seed: 2026)
        var heard = 0
        for _ in 0..<30 {
            let token = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let second = leadSeconds + 0.2 + 1.5 * random.nextUnit()
            let samples = try sound(
                [(Self.profiles[0], token, second)], ebN0Decibels: 3.5, speed: 3 * random.nextUnit() - 1.5,
                seconds: leadSeconds + 4, seed: random.next())
            var receiver = Receiver(profiles: [Self.profiles[0]])
            let reports = receiver.process(samples) + receiver.finish()
            #expect(reports.allSatisfy { $0.token == token })
            heard += reports.isEmpty ? 0 : 1
        }
        #expect(heard >= 24)
    }

    /// The test checks the counts on which decisions depend in the band of all standard profiles.
    @Test func countsComeFromSeconds() {
        let band = Band.nearUltrasonic
        #expect(band.rateHz == 2400)
        #expect([0.01, 0.05, 0.1, 0.5, 0.56, 2].map(band.samples) == [24, 120, 240, 1200, 1344, 4800])
        #expect([0.0534, 0.2134].map(band.transformSamples) == [128, 512])
        let wide = Self.wide.band
        #expect([0.01, 0.5].map(wide.samples) == [48, 2400])
        #expect([0.0534, 0.2134].map(wide.transformSamples) == [256, 1024])
        #expect(band.soundSample(100) == 1999.5)
    }

    /// The variance of 12 000 blocks of white noise is known to 1.3 %: 6 % are more than four standard
    /// errors.
    @Test(arguments: [wide, low]) func blocksOfNoiseVaryAsSaid(profile: DSSSProfile) {
        let block = EnergyBlock(band: profile.band)
        var (frontEnd, source) = (FrontEnd(band: profile.band), NoiseSource(seed: 6))
        var (noise, window) = (SteadyNoise(variance: block.variance), BasebandWindow())
        for _ in 0..<600 {
            source.samples(48_000, sigma: 0.1).withUnsafeBufferPointer { frontEnd.process($0) }
            window.append(frontEnd.baseband)
            while window.samples.count >= 4 * block.sampleCount {
                var part = BasebandWindow()
                part.append(window.samples.prefix(2 * block.sampleCount))
                block.add(part, blocks: 1, to: &noise)
                window.drop(before: window.start + block.sampleCount)
            }
        }
        let powers = (0..<noise.end).map { noise.mean($0..<$0 + 1) }
        let mean = powers.reduce(0, +) / Float(powers.count)
        let squares = powers.reduce(0) { $0 + ($1 / mean - 1) * ($1 / mean - 1) }
        #expect(abs(squares / Float(powers.count) / block.variance - 1) < 0.06)
    }
}
