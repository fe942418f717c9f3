import Signal
import Testing

@testable import Coding

@Suite struct ReedSolomonTests {
    /// Multiplies as the definition does: shift and reduce.
    private func slowProduct(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (product, shifted) = (0, Int(a))
        for bit in 0..<8 {
            if Int(b) >> bit & 1 == 1 { product ^= shifted }
            shifted <<= 1
            if shifted & 0x100 != 0 { shifted ^= 0x11D }
        }
        return UInt8(product)
    }

    @Test func productsAreAsDefined() {
        for a in UInt8.min...UInt8.max {
            for b in UInt8.min...UInt8.max { #expect(GF256.product(a, b) == slowProduct(a, b)) }
        }
    }

    /// Every α^i of the generator is a root of every codeword, the first byte taken as the highest power.
    @Test(arguments: [1, 2, 4, 8, 24, 56]) func rootsOfCodewordsVanish(parityCount: Int) {
        var random = SplitMix64(seed: UInt64(parityCount))
        for length in [1, 3, 20, 140] {
            let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let word = message + ReedSolomon(parityCount: parityCount).parity(of: message)
            var root: UInt8 = 1
            for _ in 0..<parityCount {
                #expect(word.reduce(0) { slowProduct($0, root) ^ $1 } == 0)
                root = slowProduct(root, 2)
            }
        }
    }

    /// All mixtures of errors and erasures within reach are corrected, 5 words each, seed 5.
    @Test(arguments: [2, 4, 8, 24, 56]) func correctsUpToItsReach(parityCount: Int) {
        var random = SplitMix64(seed: 5)
        let code = ReedSolomon(parityCount: parityCount)
        for erasureCount in 0...parityCount {
            for errorCount in [0, (parityCount - erasureCount) / 2] {
                for _ in 0..<5 {
                    let message = (0..<Int.random(in: 1...140, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                    let word = message + code.parity(of: message)
                    let places = word.indices.shuffled(using: &random).prefix(erasureCount + errorCount)
                    var received = word
                    for place in places { received[place] ^= UInt8.random(in: 1...255, using: &random) }
                    #expect(code.decode(received, erasures: Array(places.prefix(erasureCount))) == word)
                }
            }
        }
    }

    /// Any input gives a codeword within reach, or nothing. There are 20 000 words, seed 6.
    @Test func anyInputIsDecodedOrRefused() {
        var random = SplitMix64(seed: 6)
        for _ in 0..<20_000 {
            let code = ReedSolomon(parityCount: [1, 2, 3, 4, 6, 11].randomElement(using: &random)!)
            let word = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let erasures = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                Int.random(in: -1...21, using: &random)
            }
            guard let decoded = code.decode(word, erasures: erasures) else { continue }
            let messageCount = word.count - code.parityCount
            #expect(code.parity(of: Array(decoded[..<messageCount])) == Array(decoded[messageCount...]))
            let errorCount = word.indices.count { word[$0] != decoded[$0] && !erasures.contains($0) }
            #expect(2 * errorCount + erasures.count <= code.parityCount)
        }
    }
}
