import Coding
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of energy that is spread over delays and Dopplers, as in a walker's room.
@Suite struct FSKSpreadTests {
    private static func exponential(_ random: inout SplitMix64) -> Float {
        Float(-log(1 - random.nextUnit()))
    }

    /// Returns the energies of a frame of which each tone arrives in two places: 8 three tones up at once, 4
    /// two tones down a window later.
    private static func frame(
        _ layout: FSKFrameLayout, tones: [UInt8], _ random: inout SplitMix64
    ) -> ToneGrid {
        var grid = ToneGrid(symbolCount: layout.symbolCount, subBandCount: 1)
        var means = [Float](repeating: 1, count: grid.values.count)
        let data = zip(layout.dataSymbols, tones).map { (symbol: $0, tone: Int($1)) }
        for sent in layout.syncs.map({ (symbol: $0.symbol, tone: $0.tone) }) + data {
            for (window, shift, energy) in [(0, 3, Float(8)), (1, -2, 4)] {
                let tone = sent.tone + shift
                if (0..<64).contains(tone) { means[(sent.symbol + window) * 64 + tone] += energy }
            }
        }
        for place in means.indices {
            grid.values[place] = Complex((means[place] * exponential(&random)).squareRoot())
        }
        return grid
    }

    /// Known tones teach the places of their energy, and only those. There are 100 energies each, so that the
    /// bound is four times a tenth.
    @Test func profilesAreLearned() {
        var random = SplitMix64(seed: 3)
        let layout = FSKFrameLayout(profile: .fskLong, lane: 0, tokenClass: .short)
        let tones = layout.dataSymbols.map { _ in UInt8(random.next() >> 58) }
        let frames = TonePowers((0..<2).map { _ in Self.frame(layout, tones: tones, &random) })
        var likely = LikelyTones(layout)
        // The metrics are nearly certain: a path counts for half.
        var metrics = ToneMetrics(count: tones.count, hasEchoes: false)
        for (i, tone) in tones.enumerated() { metrics.own[i * 64 + Int(tone)] = 50 }
        likely.take(metrics, confidence: 1, path: tones)
        let expected = ArrivalProfile.expected(energy: 12)
        var profile = expected
        for _ in 0..<3 { profile = profile.learned(frames, likely, prior: expected) }
        #expect(abs(profile[0, 3] - 8) < 3.2)
        #expect(abs(profile[1, -2] - 4) < 1.6)
        #expect(profile[0, -3] < 1 && profile[1, 3] < 1 && profile[2, 0] < 1)
    }

    /// A frame is decoded even if none of its tones is heard where it was sent.
    @Test func spreadFramesAreDecoded() throws {
        let token: [UInt8] = [7, 7, 1, 2, 3, 4, 5, 6]
        var random = SplitMix64(seed: 4)
        var decoder = FSKFrameDecoder(profile: .fskLong)
        let layout = decoder.layout(.short, lane: 2)
        let all = try FSKFrameEncoder(profile: .fskLong, lane: 2).tones(of: token)
        let grid = Self.frame(layout, tones: layout.dataSymbols.map { UInt8(all[$0]) }, &random)
        var statistics = ReceiverStatistics()
        let setting = FSKTracker.Setting(start: 0, timeScale: 0, score: 0)
        let reading = FSKReading(setting: setting, tokenClass: .short, layout: layout)
        let attempt = decoder.decodeSpread([grid], reading, statistics: &statistics)
        #expect(attempt.frame?.token == token)
        let wrong = FSKReading(
            setting: setting, tokenClass: .short, layout: decoder.layout(.short, lane: 1))
        let other = decoder.decodeSpread([grid], wrong, statistics: &statistics)
        #expect(other.frame == nil)
    }

    /// The sliding sums equal the definition: each tone's cells, one by one.
    @Test func fieldsMatchTheDefinition() {
        var random = SplitMix64(seed: 5)
        let (reach, bins) = (10, 2 * 64 + 2 * 10)
        let (count, stride) = (5, 8 + SpreadField.laterSteps)
        let columns = (0..<bins).map { _ in (0..<stride).map { _ in Self.exponential(&random) } }
        let scale = (0..<bins).map { _ in 0.5 + Float(random.nextUnit()) }
        let gains = (0..<8).map { _ in 0.5 + Float(random.nextUnit()) }
        var field = SpreadField(dopplerReach: reach, capacity: 4)
        columns.flatMap { $0 }.withUnsafeBufferPointer {
            field.append($0.baseAddress!, stride: stride, scale: scale, gains: gains, count)
        }
        #expect(field.ratios.end == SamplePosition(count) && field.votes.end == field.ratios.end)
        for step in 0..<count { check(field, columns, scale, gains, step, reach) }
    }

    private func check(
        _ field: SpreadField, _ columns: [[Float]], _ scale: [Float], _ gains: [Float], _ step: Int,
        _ reach: Int
    ) {
        let ratios = (0..<64).map { tone -> Float in
            var nats: Float = 0
            for (window, energy) in ArrivalProfile.evenly(SpreadField.expectedEnergy).enumerated() {
                for shift in -ArrivalProfile.walkerReach...ArrivalProfile.walkerReach {
                    let bin = reach + 2 * (tone + shift)
                    let arrived = columns[bin][step + window * TonePlan.stepsPerSymbol]
                    let heard = arrived * scale[bin] * gains[step]
                    nats += heard * energy / (1 + energy) - log(1 + energy)
                }
            }
            return nats
        }
        for tone in 0..<64 {
            let own = field.ratios.values[field.ratios.place(column: tone, row: SamplePosition(step))]
            #expect(abs(own - ratios[tone]) < 1e-3)
        }
        let mean = ratios.reduce(0) { $0 + exp($1) } / 64
        #expect(abs(field.votes.values[step] - log(mean)) < 1e-3)
    }
}
