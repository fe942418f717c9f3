import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of the receiver beyond one frame in white noise: fast senders, repeats at any gap, diffuse rooms,
/// and the precision of its measurements. Seeds are fixed; bounds are as in ``SensitivityTests``.
@Suite struct ReceiverReachTests {
    private let token: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]

    /// Returns the reports of `frames` of the token `periodSeconds` apart in noise, heard at `speed` (m/s;
    /// 0.343 are 1000 ppm).
    private func reports(
        frames: Int = 1, periodSeconds: Double = 0, speed: Double = 0, ebN0Decibels: Double,
        room: ReverberantRoom? = nil, random: inout SplitMix64
    ) throws -> [DecodeReport] {
        let transmitter = Transmitter(profile: .dsss, sampleRateHz: 48_000 / (1 + speed / 343))
        let clean = try transmitter.waveform(of: token, delaySamples: random.nextUnit())
        let sigma = noiseSigma(under: clean, ebN0Decibels: ebN0Decibels)
        let received = room?.apply(to: clean) ?? clean
        let period = Int(periodSeconds * 48_000)
        var noise = NoiseSource(seed: random.next())
        var samples = noise.samples(received.count + (frames - 1) * period + 120_000, sigma: sigma)
        let start = Int(random.nextUnit() * 90_000)
        for frame in 0..<frames {
            for i in received.indices { samples[start + frame * period + i] += received[i] }
        }
        var receiver = Receiver(profiles: [.dsss])
        return receiver.process(samples.map { $0 * 0.05 }) + receiver.finish()
    }

    @Test(arguments: [-2.5, -1.843, 1.843, 2.5]) func strongFramesMayBeFast(speed: Double) throws {
        var random = SplitMix64(seed: 31)
        for _ in 0..<6 {
            let heard = try reports(speed: speed, ebN0Decibels: 46, random: &random)
            #expect(heard.map(\.token) == [token])
            #expect(abs(Double(heard[0].speedMetersPerSecond) - speed) < 0.02)
        }
    }

    /// 55 % of pairs are heard at 1 dB, of which 36 % would be heard without combining: 24 pairs, P(< 6) ≈
    /// 0.001.
    @Test func repeatsAtAnyGapAddUp() throws {
        var random = SplitMix64(seed: 32)
        var combined = 0
        var heard = 0
        for _ in 0..<24 {
            let reports = try reports(frames: 2, periodSeconds: 1.87, ebN0Decibels: 1, random: &random)
            #expect(reports.allSatisfy { $0.token == token })
            heard += reports.isEmpty ? 0 : 1
            combined += reports.contains { $0.repeats == 2 } ? 1 : 0
        }
        #expect(heard >= 6)
        #expect(combined >= 1)
    }

    /// 89 % of four repeats are heard at −1 dB, 60 % if only pairs are decoded: 60 trains, P(< 46) ≈ 0.003.
    @Test func repeatsOfAPairAreFollowed() throws {
        var random = SplitMix64(seed: 36)
        var heard = 0
        for train in 0..<60 {
            let speed = train % 2 == 0 ? 0 : 1.2
            let reports = try reports(
                frames: 4, periodSeconds: DSSSProfile.dsss.repeatPeriodSeconds / (1 + speed / 343),
                speed: speed, ebN0Decibels: -1, random: &random)
            #expect(reports.allSatisfy { $0.token == token })
            heard += reports.isEmpty ? 0 : 1
        }
        #expect(heard >= 46)
    }

    /// 84 % are heard at RT60 0.3 s, DRR −6 dB, 7.5 dB; 58 % without the search for echo tails: 40 frames,
    /// P(< 26) ≈ 0.001.
    @Test func diffuseRoomsAreFound() throws {
        var random = SplitMix64(seed: 33)
        var heard = 0
        for _ in 0..<40 {
            let room = ReverberantRoom(
                rt60Seconds: 0.3, drrDecibels: -6, sampleRateHz: 48_000, seed: random.next())
            let reports = try reports(ebN0Decibels: 7.5, room: room, random: &random)
            #expect(reports.allSatisfy { $0.token == token })
            heard += reports.isEmpty ? 0 : 1
        }
        #expect(heard >= 26)
    }

    @Test(arguments: [5.0, 12, 20, 30]) func levelsAreMeasured(ebN0Decibels: Double) throws {
        var random = SplitMix64(seed: 34)
        for _ in 0..<4 {
            let report = try #require(
                try reports(speed: 1, ebN0Decibels: ebN0Decibels, random: &random).first)
            #expect(abs(Double(report.ebN0Decibels) - ebN0Decibels) < 1.2)
        }
    }
}
