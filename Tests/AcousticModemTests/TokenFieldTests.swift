import Coding
import Signal
import Testing

@testable import AcousticModem

@Suite struct TokenFieldTests {
    @Test(arguments: 1...32) func everyLengthSurvives(count: Int) throws {
        let token = (0..<count).map { UInt8(truncatingIfNeeded: 91 * $0 &+ 7) }
        let info = try TokenField.encode(token)
        let tokenClass = try TokenClass(tokenByteCount: count)
        #expect(info.count == tokenClass.infoBitCount)
        #expect(info.withUnsafeBufferPointer { TokenField.decode($0, tokenClass: tokenClass) } == token)
    }

    @Test(arguments: [0, 33, 1000]) func otherLengthsAreRefused(count: Int) {
        #expect(throws: TokenError.length(count)) {
            try TokenField.encode([UInt8](repeating: 0, count: count))
        }
    }

    @Test func oneWrongBitIsNoticed() throws {
        let info = try TokenField.encode([1, 2, 3])
        for index in info.indices {
            var damaged = info
            damaged[index] ^= 1
            #expect(damaged.withUnsafeBufferPointer { TokenField.decode($0, tokenClass: .short) } == nil)
        }
    }

    /// There are 200 000 random fields. A check of 24 bits lets one in 16 million pass, and a valid length
    /// even fewer. None is expected.
    @Test func randomBitsAreNoToken() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<200_000 {
            let info = (0..<TokenClass.short.infoBitCount).map { _ in UInt8(generator.next() >> 63) }
            #expect(info.withUnsafeBufferPointer { TokenField.decode($0, tokenClass: .short) } == nil)
        }
    }

    @Test func aFieldOfAnotherSizeIsNoToken() {
        #expect(
            [UInt8](repeating: 0, count: 5).withUnsafeBufferPointer {
                TokenField.decode($0, tokenClass: .long)
            } == nil)
    }
}
