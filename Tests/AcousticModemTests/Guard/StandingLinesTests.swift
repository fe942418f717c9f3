import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct StandingLinesTests {
    private static let blockCount = 512

    /// Returns the shares after blocks of exponentially distributed powers, each bin's times `level`.
    private func shares(
        blocks: Int, seed: UInt64, level: (_ block: Int, _ bin: Int) -> Float
    ) -> (stands: Bool, shares: [Float]) {
        var random = SplitMix64(seed: seed)
        var lines = StandingLines(blockCount: StandingLinesTests.blockCount)
        var powers = [Float](repeating: 0, count: StandingLinesTests.blockCount)
        for block in 0..<blocks {
            for bin in powers.indices {
                powers[bin] = Float(-log(1 - random.nextUnit())) * level(block, bin)
            }
            lines.follow(powers)
        }
        var shares = [Float](repeating: 0, count: powers.count)
        return (lines.raise(&shares), shares)
    }

    /// There are a thousand blocks, 107 s, however their level jumps.
    @Test func noiseHasNone() {
        let levels: [Float] = [1, 1000, 1e-3]
        #expect(!shares(blocks: 1000, seed: 1) { block, _ in levels[block / 7 % 3] }.stands)
    }

    /// Each eighth bin is 10 dB over the others. A tenth of its amplitude is left, within a median's
    /// deviation.
    @Test func combGoes() {
        let found = shares(blocks: 100, seed: 2) { _, bin in bin % 8 == 3 ? 10 : 1 }
        #expect(found.stands)
        for (bin, share) in found.shares.enumerated() {
            if bin % 8 == 3 {
                #expect((0.8...0.96).contains(share), "bin \(bin)")
            } else {
                #expect(share == 0, "bin \(bin)")
            }
        }
    }

    /// The tones are those of frames, each in one block of four, 30 dB over the rest.
    @Test func tonesThatComeAndGoStay() {
        #expect(
            !shares(blocks: 400, seed: 3) { block, bin in (bin / 5 * 7 + block) % 4 == 0 ? 1000 : 1 }.stands)
    }

    @Test func silenceSaysNothing() {
        let found = shares(blocks: 300, seed: 4) { block, bin in
            block < 100 ? (bin == 40 ? 30 : 1) : 0
        }
        #expect(found.shares[40] > 0.9)
    }
}
