import ChannelSim
import Signal
import Testing

@testable import AcousticModem

/// Tests of a receiver that has met so many words that only their check kept out that it doubts faint frames.
@Suite struct DoubtTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var profile: WaveformProfile
        var ebN0Decibels: Double
        var frames: Int

        var testDescription: String { profile.name }
    }

    /// Returns a recording of one frame in white noise, and its token.
    private static func recording(
        _ one: Case, _ random: inout SplitMix64
    ) throws -> (samples: [Float], token: [UInt8]) {
        let token = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let clean = try Transmitter(profile: one.profile).waveform(
            of: token, delaySamples: random.nextUnit())
        let sigma = noiseSigma(under: clean, ebN0Decibels: one.ebN0Decibels)
        var noise = NoiseSource(seed: random.next())
        var samples = noise.samples(clean.count + 192_000, sigma: sigma)
        for i in clean.indices { samples[48_000 + i] += clean[i] }
        return (samples, token)
    }

    private static func tokens(_ samples: [Float], _ one: Case, reserve: Double) -> [[UInt8]] {
        var options = ReceiverOptions()
        options.chanceWordReserve = reserve
        var receiver = Receiver(profiles: [one.profile], options: options)
        return (receiver.process(samples) + receiver.finish()).map(\.token)
    }

    /// Of these frames nine are heard, but not beyond doubt; it takes bad luck of one in 800 for fewer than
    /// two (Poisson). Once they come a second time, most of them are heard: what decodes at the edge depends
    /// on where a block of the search begins.
    @Test(arguments: [
        Case(profile: .dsss, ebN0Decibels: 2, frames: 30),
        Case(profile: .fsk, ebN0Decibels: 2.5, frames: 60),
    ])
    func doubtedFramesWaitForASecondOne(_ one: Case) throws {
        var random = SplitMix64(seed: 38)
        var (waiting, confirmed) = (0, 0)
        for _ in 0..<one.frames {
            let (samples, token) = try Self.recording(one, &random)
            let usual = Self.tokens(samples, one, reserve: Thresholds.reports.chanceWordReserve)
            let doubting = Self.tokens(samples, one, reserve: 0)
            #expect(usual == [] || usual == [token])
            #expect(doubting == [] || doubting == usual)
            guard doubting.isEmpty, !usual.isEmpty else { continue }
            waiting += 1
            if Self.tokens(samples + samples, one, reserve: 0).contains(token) { confirmed += 1 }
        }
        #expect(waiting >= 2, "only \(waiting) frames were doubted")
        #expect(3 * confirmed >= 2 * waiting, "only \(confirmed) of \(waiting) were heard the second time")
    }
}
