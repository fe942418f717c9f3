import Testing

@testable import Coding

@Suite struct PolarCodeTests {
    @Test func transformIsItsOwnInverse() {
        var x = (0..<64).map { UInt8($0 * $0 % 7 & 1) }
        let original = x
        PolarCode.transform(&x)
        #expect(x != original)
        PolarCode.transform(&x)
        #expect(x == original)
    }

    @Test func lengthEightByHand() {
        // weights of 3, 5, 6, 7: 2.19, 2.41, 2.60, 3.60
        let code = PolarCode(length: 8, infoCount: 4)
        #expect(code.infoPositions == [3, 5, 6, 7])
        #expect(code.encode([0, 0, 0, 1] as [UInt8]) == [1, 1, 1, 1, 1, 1, 1, 1])
        #expect(code.encode([1, 0, 0, 0] as [UInt8]) == [1, 1, 1, 1, 0, 0, 0, 0])
    }

    @Test(arguments: [(64, 20), (512, 88), (1024, 88), (1024, 280)])
    func noiselessRoundTrip(length: Int, infoCount: Int) {
        let code = PolarCode(length: length, infoCount: infoCount)
        var decoder = PolarListDecoder(code: code, largestList: 8)
        var state = UInt32(length + infoCount)
        for _ in 0..<20 {
            let info = (0..<infoCount).map { _ -> UInt8 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 31)
            }
            let word = code.encode(info)
            decoder.decode(word.map { $0 == 1 ? 3 : -3 }, listSize: 8)
            #expect(Array(decoder.infoBits(rank: 0)) == info)
            #expect(decoder.codeword(rank: 0) == word)
        }
    }

    /// With a list as long as the code has words, the best path is the maximum-likelihood word.
    @Test func wholeListIsMaximumLikelihood() {
        let code = PolarCode(length: 16, infoCount: 5)
        var decoder = PolarListDecoder(code: code, largestList: 32)
        var state: UInt32 = 9
        for _ in 0..<50 {
            let soft = (0..<16).map { _ -> Float in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Float(state >> 8) / Float(1 << 23) - 1
            }
            decoder.decode(soft, listSize: 32)
            let words = (0..<32).map { word in code.encode((0..<5).map { UInt8(word >> $0 & 1) }) }
            let likeliest = words.map { likelihood($0, soft) }.max()!
            let found = likelihood(decoder.codeword(rank: 0), soft)
            #expect(abs(found - likeliest) < 1e-4)
        }
    }
}

extension PolarCodeTests {
    /// The correlation of a path, eight bits at a time and one by one, is that of its coded bits.
    @Test(arguments: [4, 8, 256]) func correlationIsThatOfTheCodedBits(length: Int) {
        let code = PolarCode(length: length, infoCount: length / 2)
        var decoder = PolarListDecoder(code: code, largestList: 4)
        let soft = (0..<length).map { Float(($0 * 37 + 11) % 29) - 14 }
        decoder.decode(soft, listSize: 4)
        for rank in 0..<decoder.pathCount {
            let sum = likelihood(decoder.codeword(rank: rank), soft)
            #expect(abs(decoder.correlation(rank: rank, with: soft) - sum) < 1e-3)
        }
    }
}

private func likelihood(_ word: [UInt8], _ soft: [Float]) -> Float {
    zip(word, soft).reduce(0) { $0 + ($1.0 == 1 ? $1.1 : -$1.1) }
}
