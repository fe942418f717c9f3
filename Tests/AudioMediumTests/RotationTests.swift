import AcousticModem
import Nearby
import Signal
import Testing

@testable import AudioMedium

/// Tests that nothing in a token's sound reveals the device's previous token.
@Suite struct RotationTests {
    private static let rateHz = 48_000.0

    private func token(_ n: Int) -> Sighting.Payload {
        .token(Token(bits: 0x0123_4567_89AB_0000 + UInt64(n)))
    }

    /// Returns the reports of a device that has another token every 4 s.
    private func reports(tokens: Int, seed: UInt64) -> [DecodeReport] {
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: seed)
        var receiver = Receiver(profiles: [.dsss])
        var block = [Float](repeating: 0, count: 960)
        var reports: [DecodeReport] = []
        for n in 0...tokens {
            // The last turn is silence, in which the last frame is decoded.
            speaker.carryOut(n < tokens ? .init([token(n)], cadence: .continuous) : nil)
            for _ in 0..<200 {
                _ = block.withUnsafeMutableBufferPointer { speaker.fill($0, isBusy: false) }
                reports += receiver.process(block)
            }
        }
        return reports
    }

    /// By sound, each token has one lane, and all lanes occur.
    @Test func aTokenKeepsItsLaneAndTheNextDrawsItsOwn() {
        let reports = reports(tokens: 12, seed: 1)
        let lanes = Dictionary(grouping: reports, by: \.token).mapValues { Set($0.map(\.lane)) }
        #expect(lanes.count == 12 && lanes.values.allSatisfy { $0.count == 1 }, "\(lanes)")
        #expect(Set(lanes.values).count >= 3)
    }

    /// A continuous sender's frames do not go on at the old token's beat.
    @Test func aTokenBeginsOffTheOldBeat() {
        let reports = reports(tokens: 12, seed: 2)
        let period = WaveformProfile.dsss.durationSeconds() + WaveformProfile.standardGapSeconds
        var phases: [Double] = []
        for (last, next) in zip(reports, reports.dropFirst()) where last.token != next.token {
            phases.append((next.startSeconds - last.startSeconds - period) / period)
        }
        #expect(phases.count == 11 && phases.allSatisfy { (-0.01...1.01).contains($0) }, "\(phases)")
        #expect(Set(phases.map { Int($0 * 4) }).count >= 3, "\(phases)")
        for (last, next) in zip(reports, reports.dropFirst()) where last.token == next.token {
            #expect(abs(next.startSeconds - last.startSeconds - period) < 0.01)
        }
    }

    /// There are 40 000 rotations of one device, and one of each of 40 000. Lanes are spread evenly, and the
    /// next one does not follow from the last. Each of 4 shares and 16 pairs is within 5 standard deviations
    /// of its mean, which fails by chance once in 10⁵ runs; the seeds are fixed.
    @Test func lanesAreSpreadAndIndependent() {
        let count = 40_000
        var (table, random) = (LaneTable(), SplitMix64(seed: 3))
        var lanes: [Int] = []
        for n in 0..<count {
            #expect(table.replace(with: [token(n)], &random) == (n > 0))
            lanes.append(table[token(n)])
        }
        func isEven(_ counts: [Int]) -> Bool {
            let share = 1 / Double(counts.count)
            let deviation = (Double(count) * share * (1 - share)).squareRoot()
            return counts.allSatisfy { abs(Double($0) - Double(count) * share) < 5 * deviation }
        }
        #expect(isEven((0..<4).map { lane in lanes.count { $0 == lane } }))
        let pairs = zip(lanes, lanes.dropFirst()).map { $0 * 4 + $1 }
        #expect(isEven((0..<16).map { pair in pairs.count { $0 == pair } }))
        let first = (0..<count).map { seed in
            var (table, random) = (LaneTable(), SplitMix64(seed: UInt64(seed)))
            _ = table.replace(with: [token(0)], &random)
            return table[token(0)]
        }
        #expect(isEven((0..<4).map { lane in first.count { $0 == lane } }))
    }

    /// Payloads that come together share a lane. Those that go on keep theirs, and later ones have their own.
    @Test func payloadsOfAMoment() {
        var (table, random) = (LaneTable(), SplitMix64(seed: 4))
        var others = 0
        for n in 0..<100 {
            #expect(table.replace(with: [token(2 * n), token(2 * n + 1)], &random) == (n > 0))
            let lane = table[token(2 * n)]
            #expect(table[token(2 * n + 1)] == lane)
            #expect(!table.replace(with: [], &random))
            #expect(!table.replace(with: [token(1000 + n), token(2 * n + 1)], &random))
            #expect(table[token(2 * n + 1)] == lane)
            if table[token(1000 + n)] != lane { others += 1 }
        }
        #expect((50...95).contains(others))
    }
}
