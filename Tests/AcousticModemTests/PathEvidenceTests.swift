import Coding
import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct PathEvidenceTests {
    private static let profile = FSKProfile.fsk
    private static let bitCount = profile.dataCount(.short) * profile.code.bitsPerStep

    /// Returns the ratios of sound that is loud and no frame's: five tones in every symbol stand far over the
    /// noise, as in talk.
    private func talk(seed: UInt64) -> ToneMetrics {
        var random = SplitMix64(seed: seed)
        var metrics = ToneMetrics(count: PathEvidenceTests.profile.dataCount(.short), hasEchoes: false)
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
        var decoder = TrellisListDecoder(code: PathEvidenceTests.profile.code, longest: metrics.count)
        return decoder.decode(metrics, scrambler: layout.scrambler, margin: 8) { _ in 256 }
    }

    private func evidence(_ metrics: ToneMetrics) -> PathEvidence {
        PathEvidence(metrics, bitCount: PathEvidenceTests.bitCount)
    }

    private func accepts(_ nats: Float, _ evidence: PathEvidence, contrast: Float) -> Bool {
        AcceptanceGate.fsk(contrast: contrast).verdict(evidence.evidence(ofPath: nats, .checked)).isFrame
    }

    /// Fifty times there are lists of up to 256 paths, every one with evidence and with random sync tones.
    /// The check bits are tried on at most one path in 50. A frame that is as loud passes, although it fills
    /// only its own tones.
    @Test func loudSoundIsNoFrame() {
        let layout = FSKFrameLayout(profile: PathEvidenceTests.profile, lane: 0, tokenClass: .short)
        var (listed, evident, accepted) = (0, 0, 0)
        for seed in 1...50 {
            let metrics = talk(seed: UInt64(seed))
            let evidence = evidence(metrics)
            let paths = paths(metrics, layout)
            listed += paths.count
            evident += paths.count {
                evidence.evidence(ofPath: $0.nats, .checked).nats > 4 * Thresholds.fsk.frameNats
            }
            accepted += paths.count { accepts($0.nats, evidence, contrast: -10) }
        }
        #expect(listed > 5000)
        #expect(evident == listed)
        #expect(accepted * 50 < listed, "\(accepted) of \(listed)")
    }

    @Test func aLoudFrameIsOne() {
        let layout = FSKFrameLayout(profile: PathEvidenceTests.profile, lane: 0, tokenClass: .short)
        var random = SplitMix64(seed: 7)
        for seed in 1...20 {
            let bits = (0..<PathEvidenceTests.bitCount).map { _ in UInt8(random.next() >> 63) }
            var metrics = talk(seed: UInt64(seed))
            for (symbol, label) in PathEvidenceTests.profile.code.encode(bits).enumerated() {
                metrics.own[64 * symbol + Int(label ^ layout.scrambler[symbol])] = 30
            }
            let first = paths(metrics, layout)[0]
            #expect(first.bits(bitsPerStep: PathEvidenceTests.profile.code.bitsPerStep) == bits)
            #expect(accepts(first.nats, evidence(metrics), contrast: 0))
        }
    }

    /// Less evidence is required of a frame whose sync tones speak for it, and of a faint one.
    @Test func contrastLowersWhatIsAsked() {
        let evidence = evidence(talk(seed: 3))
        func least(contrast: Float) -> Float {
            let nats = stride(from: Float(0), to: 1000, by: 0.5)
            return nats.first { accepts($0, evidence, contrast: contrast) } ?? .infinity
        }
        let (chance, own) = (least(contrast: -20), least(contrast: 12))
        #expect(least(contrast: 0) == chance)
        #expect(own < chance)
        let rarities = [chance, own].map { evidence.evidence(ofPath: $0, .checked).rarity }
        #expect(abs(rarities[0] - rarities[1] - 6) < 0.5)
    }
}
