import CKernels
import Testing

@testable import Coding

@Suite struct TrellisTests {
    private static let codes = [
        TrellisCode(bitsPerStep: 3, memoryBits: 6, masks: [0x1c7, 0x0ab, 0x123, 0x1b8, 0x14a, 0x0da]),
        TrellisCode(bitsPerStep: 2, memoryBits: 6, masks: [0x46, 0x61, 0xfe, 0x49, 0xf6, 0x6b]),
    ]
    private static let scrambler: [UInt8] = [5, 60, 33, 0, 17, 42, 9, 63, 21, 38]

    private func message(_ code: TrellisCode, seed: UInt64) -> [UInt8] {
        var random = SystemLike(state: seed)
        return (0..<TrellisTests.scrambler.count * code.bitsPerStep).map { _ in UInt8(random.next() >> 63) }
    }

    /// A fixed generator: Knuth's MMIX.
    private struct SystemLike {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
        mutating func unit() -> Float { Float(next() >> 40) / Float(1 << 24) }
    }

    private func noise(count: Int, hasEchoes: Bool, seed: UInt64) -> ToneMetrics {
        var random = SystemLike(state: seed)
        var metrics = ToneMetrics(count: count, hasEchoes: hasEchoes)
        for i in metrics.own.indices { metrics.own[i] = random.unit() }
        for i in metrics.echo1.indices {
            metrics.echo1[i] = random.unit()
            metrics.echo2[i] = random.unit()
            metrics.again[i] = random.unit()
        }
        return metrics
    }

    /// Rotating the message rotates the labels: the code has no ends.
    @Test(arguments: codes) func bitesItsTail(code: TrellisCode) {
        let bits = message(code, seed: 3)
        let rotated = Array(bits[code.bitsPerStep...] + bits[..<code.bitsPerStep])
        let labels = code.encode(bits)
        #expect(code.encode(rotated) == Array(labels[1...] + labels[..<1]))
    }

    @Test(arguments: codes, [false, true]) func decodesWhatWasSent(code: TrellisCode, hasEchoes: Bool) {
        let bits = message(code, seed: 11)
        let tones = zip(code.encode(bits), TrellisTests.scrambler).map { $0 ^ $1 }
        var metrics = noise(count: tones.count, hasEchoes: hasEchoes, seed: 5)
        for (i, tone) in tones.enumerated() {
            metrics.own[64 * i + Int(tone)] += 2
            if hasEchoes { metrics.again[64 * i + Int(tone)] += 2 }
        }
        var decoder = TrellisListDecoder(code: code, longest: 12)
        let paths = decoder.decode(metrics, scrambler: TrellisTests.scrambler, margin: 12) { _ in 16 }
        #expect(paths.contains { $0.bits(bitsPerStep: code.bitsPerStep) == bits })
        #expect(zip(paths, paths.dropFirst()).allSatisfy { $0.nats >= $1.nats })
        for path in paths { #expect(abs(path.nats - metrics.total(of: path.tones)) < 1e-4) }
    }

    /// Over every message of five steps of a small code, the list's first is the best of all. With echoes,
    /// where a survivor's past decides too, it nearly is.
    @Test(arguments: [false, true], 1...8) func findsTheBestOfAll(hasEchoes: Bool, seed: Int) {
        let code = TrellisCode(bitsPerStep: 2, memoryBits: 4, masks: [0x11, 0x36, 0x0f, 0x29, 0x3d, 0x1a])
        let scrambler: [UInt8] = [7, 12, 50, 33, 2]
        let metrics = noise(count: 5, hasEchoes: hasEchoes, seed: UInt64(seed))
        var best = -Float.infinity
        for word in 0..<1 << 10 {
            let bits = (0..<10).map { UInt8(word >> $0 & 1) }
            let tones = zip(code.encode(bits), scrambler).map { $0 ^ $1 }
            best = max(best, metrics.total(of: tones))
        }
        var decoder = TrellisListDecoder(code: code, longest: 5)
        let paths = decoder.decode(metrics, scrambler: scrambler, margin: 40) { _ in 256 }
        #expect(paths[0].nats > best - (hasEchoes ? 1 : 1e-4))
    }

    /// The compiled steps equal their definition.
    @Test(arguments: [8, 4]) func stepsMatchTheDefinition(branches: Int) {
        let states = 64
        var random = SystemLike(state: 9)
        let before = (0..<states).map { _ in random.unit() }
        let labels = (0..<states).map { _ in UInt8(random.next() >> 58) }
        let rows = (0..<64 * branches).map { _ in random.unit() }
        var after = [Float](repeating: 0, count: states)
        var choice = [UInt8](repeating: 0, count: states)
        let step = branches == 8 ? nbk_trellis_step8 : nbk_trellis_step4
        let top = step(before, labels, rows, states, &after, &choice)
        for x in 0..<states {
            let values = (0..<branches).map { p -> Float in
                let s = x / branches + p * (states / branches)
                return before[s] + rows[Int(labels[s]) * branches + x % branches]
            }
            #expect(after[x] == values.max())
            #expect(values[Int(choice[x])] == after[x])
        }
        #expect(top == after.max())
    }
}
