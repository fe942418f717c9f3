import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of a receiver that has met so many words that only their check kept out that it doubts faint frames.
@Suite struct DoubtTests {
    private static let frames = 30
    private static let ebN0Decibels = 2.0

    /// Returns a recording of one frame in white noise, and its token.
    private static func recording(_ random: inout SplitMix64) throws -> (samples: [Float], token: [UInt8]) {
        let token = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let clean = try Transmitter(profile: .dsss).waveform(of: token, delaySamples: random.nextUnit())
        let energy = clean.reduce(0.0) { $0 + Double($1 * $1) }
        let sigma = (energy / 64 / pow(10, ebN0Decibels / 10) / 2).squareRoot()
        var noise = NoiseSource(seed: random.next())
        var samples = noise.samples(clean.count + 192_000, sigma: Float(sigma))
        for i in clean.indices { samples[48_000 + i] += clean[i] }
        return (samples, token)
    }

    private static func tokens(_ samples: [Float], reserve: Double) -> [[UInt8]] {
        var options = ReceiverOptions()
        options.chanceWordReserve = reserve
        var receiver = Receiver(profiles: [.dsss], options: options)
        return (receiver.process(samples) + receiver.finish()).map(\.token)
    }

    /// Of 30 frames at 2 dB 17 are heard, and a third of these only without doubt, so that it takes bad luck
    /// of one in 40 for fewer than two (Poisson, 6). Each of them is heard once it comes a second time.
    @Test func doubtedFramesWaitForASecondOne() throws {
        var random = SplitMix64(seed: 38)
        var waiting = 0
        for _ in 0..<Self.frames {
            let (samples, token) = try Self.recording(&random)
            let usual = Self.tokens(samples, reserve: Thresholds.dsss.chanceWordReserve)
            let doubting = Self.tokens(samples, reserve: 0)
            #expect(usual == [] || usual == [token])
            #expect(doubting == [] || doubting == usual)
            guard doubting.isEmpty, !usual.isEmpty else { continue }
            waiting += 1
            #expect(Self.tokens(samples + samples, reserve: 0).contains(token))
        }
        #expect(waiting >= 2, "only \(waiting) frames were doubted")
    }
}
