import ChannelSim
import Glibc
import Signal
import Testing

/// Tests of the recording device's effects on a steady tone of a second.
@Suite struct CaptureTests {
    private let tone = (0..<48_000).map { Float(cos(2 * .pi * 19_200.5 / 48_000 * Double($0) + 0.3)) }

    /// Half of the recording is down by the step, and half is not. Each stretch lasts the interval.
    @Test(arguments: [6.0, 20, -6]) func gainSteps(decibels: Double) throws {
        let heard = try record { $0.gainSteps = .init(stepDecibels: decibels, intervalSeconds: 0.1) }
        let sent = try arrival().samples
        let gains = zip(heard, sent).filter { $1 != 0 }.map { 20 * log10(Double(abs($0 / $1))) }
        let down = gains.map { abs($0 + decibels) < 0.01 }
        #expect(zip(gains, down).allSatisfy { $1 || abs($0) < 0.01 })
        #expect((19_000...29_000).contains(down.count { $0 }))
        #expect((9...10).contains(zip(down, down.dropFirst()).count { $0 != $1 }))
    }

    @Test func dropoutIsWhereItIsAsked() throws {
        let heard = try record { $0.dropout = .init(startSeconds: 0.25, durationSeconds: 0.05) }
        #expect(heard.indices.dropFirst(2).filter { heard[$0] == 0 } == Array(12_000..<14_400))
    }

    @Test func randomDropoutsAreWithinTheTransmission() throws {
        let starts = try (1...20).map { seed in
            let heard = try record(lead: 1, seed: UInt64(seed)) {
                $0.dropout = .init(startSeconds: nil, durationSeconds: 0.05)
            }
            let zeros = heard.indices.dropFirst(48_002).filter { heard[$0] == 0 }
            #expect((2398...2401).contains(zeros.count))
            return zeros[0]
        }
        #expect(Set(starts).count > 15)
    }

    @Test func theHeadIsCutOff() throws {
        let heard = try record(lead: 0.5) { $0.cutHeadSeconds = 0.1 }
        #expect(heard == Array(try arrival().samples[4800...]))
    }

    /// The number of clicks is as requested within four standard deviations of Poisson's, each gone after 5
    /// ms. The mean power in a click's first instants is as requested within 1.5 dB, four standard errors of
    /// 50 clicks' noise.
    @Test func clicksAreAsManyAndAsLoudAsAsked() {
        let (perSecond, count, power) = (0.5, 100 * 48_000, 0.02)
        var samples = [Float](repeating: 0, count: count)
        Impairments.addClicks(
            to: &samples, perSecond: perSecond, levelDecibels: 20, signalPower: power, sampleRateHz: 48_000,
            seed: 5)
        let first = samples.indices.filter { n in
            samples[n] != 0 && samples[max(0, n - 5)..<n].allSatisfy { $0 == 0 }
        }
        #expect(abs(Double(first.count) - 50) < 29)
        let heard = first.map { n in samples[n..<n + 4].reduce(0.0) { $0 + Double($1 * $1) } / 4 }
        let mean = heard.reduce(0, +) / Double(heard.count)
        #expect(abs(10 * log10(mean / power) - 20) < 1.5)
    }

    /// Returns a recording that only the device changes.
    private func record(
        lead: Double = 0, seed: UInt64 = 1, _ change: (inout Capture) -> Void
    ) throws -> [Float] {
        var channel = Channel()
        channel.leadSeconds = lead
        change(&channel.capture)
        return channel.record([.init(try arrival())], seed: seed).recording
    }

    /// Returns an arrival. A path may delay by part of a sample, and it is the same each time.
    private func arrival() throws -> Arrival {
        try #require(SoundPath().arrival(of: tone, fromHz: 48_000, toHz: 48_000, seed: 4))
    }
}
