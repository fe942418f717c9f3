import Coding
import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct PathGateTests {
    private static let profile = FSKProfile.fsk
    private static let chance = 0.6931 * Float(profile.dataCount(.short) * profile.code.bitsPerStep)

    /// Ratios of sound that is loud and no frame's: five tones in every symbol stand far over the noise, as talk's do.
    private func talk(seed: UInt64) -> ToneMetrics {
        var random = SplitMix64(seed: seed)
        var metrics = ToneMetrics(count: PathGateTests.profile.dataCount(.short), hasEchoes: false)
        for i in metrics.own.indices { metrics.own[i] = -3 }
        for symbol in 0..<metrics.count {
            for _ in 0..<5 {
                let tone = Int(random.next() >> 58)
                metrics.own[64 * symbol + tone] = 10 + 25 * Float(random.nextUnit())
            }
        }
        return metrics
    }

    private func paths(_ metrics: ToneMetrics, _ layout: FSKFrameLayout) -> [TrellisListDecoder.Path] {
        var decoder = TrellisListDecoder(code: PathGateTests.profile.code, longest: metrics.count)
        return decoder.decode(metrics, scrambler: layout.scrambler, margin: 8) { _ in 256 }
    }

    private func gate(_ metrics: ToneMetrics, contrast: Float) -> PathGate {
        PathGate(
            threshold: FSKFrameDecoder.evidenceThreshold, contrast: contrast, chance: PathGateTests.chance,
            rarities: PathRarity(metrics))
    }

    /// 50 times, lists of up to 256 paths, every one with evidence, and its sync tones as chance has them: the check bits are
    /// asked of one path in 50 at most. A frame that is as loud passes, though it fills but its own tones.
    @Test func loudSoundIsNoFrame() {
        let layout = FSKFrameLayout(profile: PathGateTests.profile, lane: 0, tokenClass: .short)
        var (listed, evident, accepted) = (0, 0, 0)
        for seed in 1...50 {
            let metrics = talk(seed: UInt64(seed))
            let gate = gate(metrics, contrast: -10)
            let paths = paths(metrics, layout)
            listed += paths.count
            evident += paths.count { gate.evidence($0.nats) > 4 * FSKFrameDecoder.evidenceThreshold }
            accepted += paths.count { gate.accepts($0.nats) }
        }
        #expect(listed > 5000)
        #expect(evident == listed)
        #expect(accepted * 50 < listed, "\(accepted) of \(listed)")
    }

    @Test func aLoudFrameIsOne() {
        let layout = FSKFrameLayout(profile: PathGateTests.profile, lane: 0, tokenClass: .short)
        var random = SplitMix64(seed: 7)
        let bitCount = PathGateTests.profile.dataCount(.short) * PathGateTests.profile.code.bitsPerStep
        for seed in 1...20 {
            let bits = (0..<bitCount).map { _ in UInt8(random.next() >> 63) }
            var metrics = talk(seed: UInt64(seed))
            for (symbol, label) in PathGateTests.profile.code.encode(bits).enumerated() {
                metrics.own[64 * symbol + Int(label ^ layout.scrambler[symbol])] = 30
            }
            let gate = gate(metrics, contrast: 0)
            let first = paths(metrics, layout)[0]
            #expect(first.bits(bitsPerStep: PathGateTests.profile.code.bitsPerStep) == bits)
            #expect(gate.accepts(first.nats))
        }
    }

    /// What is asked: less of a frame whose sync tones speak for it, and of a faint one.
    @Test func contrastLowersWhatIsAsked() {
        let metrics = talk(seed: 3)
        func least(contrast: Float) -> Float {
            let nats = stride(from: Float(0), to: 1000, by: 0.5)
            return nats.first(where: gate(metrics, contrast: contrast).accepts) ?? .infinity
        }
        let (chance, own) = (least(contrast: -20), least(contrast: 12))
        #expect(least(contrast: 0) == chance)
        #expect(own < chance)
        let any = gate(metrics, contrast: 0)
        #expect(abs(any.rarity(chance) - any.rarity(own) - 6) < 0.5)
    }
}
