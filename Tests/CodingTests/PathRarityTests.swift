import Glibc
import Signal
import Testing

@testable import Coding

@Suite struct PathRarityTests {
    private static let count = 30

    /// Returns loud sound without a frame: ratios of an exponential kind, a few far over the others.
    private func loud(scale: Float, seed: UInt64) -> ToneMetrics {
        var random = SplitMix64(seed: seed)
        var metrics = ToneMetrics(count: PathRarityTests.count, hasEchoes: false)
        for i in metrics.own.indices { metrics.own[i] = -scale * log(Float(random.nextUnit())) }
        return metrics
    }

    /// Of 100 000 blind paths, no more than the bound says are in the best tenth, hundredth and thousandth,
    /// where the last count is uncertain by a tenth of itself. The bound is no more than three nats too wide.
    @Test(arguments: 1...4) func boundsBlindPaths(seed: Int) {
        let metrics = loud(scale: 5, seed: UInt64(seed))
        let rarity = PathRarity(metrics)
        var random = SplitMix64(seed: UInt64(100 + seed))
        let paths = 100_000
        let nats = (0..<paths).map { _ in
            metrics.total(of: (0..<PathRarityTests.count).map { _ in UInt8(random.next() >> 58) })
        }.sorted(by: >)
        for share in [0.1, 0.01, 0.001] {
            let bound = rarity.rarity(ofPath: nats[Int(share * Double(paths))])
            let exact = Float(-log(share))
            #expect(bound <= exact + 0.3)
            #expect(bound >= exact - 3)
        }
    }

    /// Ratios that are four times too great make no path rarer.
    @Test func doesNotBelieveLoudness() {
        let sound = loud(scale: 2, seed: 9)
        var louder = sound
        for i in louder.own.indices { louder.own[i] *= 4 }
        // This is two and a half times the mean of a blind path.
        let nats: Float = 2.5 * 2 * Float(PathRarityTests.count)
        let (once, fourfold) = (
            PathRarity(sound).rarity(ofPath: nats), PathRarity(louder).rarity(ofPath: 4 * nats)
        )
        #expect(once > 10)
        #expect(abs(fourfold - once) < 0.05 * once)
    }

    @Test func growsWithNats() {
        let rarity = PathRarity(loud(scale: 3, seed: 2))
        let values = stride(from: Float(0), to: 400, by: 10).map { rarity.rarity(ofPath: $0) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(values[0] == 0 && values.last! > 20)
    }
}
