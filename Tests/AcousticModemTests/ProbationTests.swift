import Testing

@testable import AcousticModem

@Suite struct ProbationTests {
    private static let token: [UInt8] = [1, 2, 3]

    /// Returns whether each frame agrees with those before it.
    private static func agreements(_ frames: [(token: [UInt8], starts: [Double])]) -> [Bool] {
        var probation = Probation(rateHz: 100, frameSamples: 150)
        return frames.map { probation.agrees($0.token, starts: $0.starts) }
    }

    /// A second frame with the same token agrees; another token, and another view of the same frame, do not.
    @Test func onlyAnotherFrameAgrees() {
        let token = Self.token
        #expect(Self.agreements([(token, [1000]), (token, [1150])]) == [false, true])
        #expect(Self.agreements([(token, [1000]), (token, [1149])]) == [false, false])
        #expect(Self.agreements([(token, [1000]), (token, [700, 851])]) == [false, false])
        #expect(Self.agreements([(token, [1000]), ([1, 2, 4], [2000])]) == [false, false])
        // The frame that agreed is remembered in its turn.
        #expect(
            Self.agreements([(token, [1000]), (token, [1150]), (token, [1150]), (token, [1300])])
                == [false, true, false, true])
    }

    /// A token is remembered for five minutes, and no more than sixteen are.
    @Test func tokensAreForgotten() {
        let token = Self.token
        #expect(Self.agreements([(token, [0]), (token, [30_000])]) == [false, true])
        #expect(Self.agreements([(token, [0]), (token, [30_001])]) == [false, false])
        let others = (UInt8(0)..<16).map { (token: [$0], starts: [200.0]) }
        #expect(Self.agreements([(token, [0])] + others + [(token, [400])]).last == false)
        #expect(Self.agreements([(token, [0])] + others.dropLast() + [(token, [400])]).last == true)
    }

    /// A word that several decodings end with counts once.
    @Test func wordsCountOnce() {
        var words = ChanceWords()
        var infoBits = [UInt8](repeating: 0, count: 88)
        infoBits.withUnsafeBufferPointer { words.add($0, isSure: false) }
        infoBits.withUnsafeBufferPointer { words.add($0, isSure: true) }
        #expect(words.count == 1 && words.sureCount == 1)
        infoBits[63] = 1
        infoBits.withUnsafeBufferPointer { words.add($0, isSure: false) }
        #expect(words.count == 2 && words.sureCount == 1)
    }
}
