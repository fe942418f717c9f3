import Nearby
import Signal
import Testing

@testable import NearbyService

@Suite struct TokenCipherTests {
    private let cipher = TokenCipher(key: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)

    /// The values come from a program of its own that encrypts by OpenSSL's AES-128-ECB.
    @Test(
        arguments: [
            (0, 0xD972_5413_98CD_AD30), (1, 0x4035_674C_7963_737B),
            (0x0123_4567_89AB_CDEF, 0x2B51_4BE5_004D_C176), (UInt64.max, 0x687F_9B82_7A4C_4C02),
        ] as [(UInt64, UInt64)])
    func knownValues(number: UInt64, sealed: UInt64) {
        #expect(cipher.seal(number) == sealed)
        #expect(cipher.open(sealed) == number)
    }

    @Test func whatIsSealedOpens() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let number = random.next()
            #expect(cipher.open(cipher.seal(number)) == number)
            #expect(cipher.seal(cipher.open(number)) == number)
        }
    }

    /// One bit more changes half of the bits: over 20 000 trials, each bit of the result with a share between
    /// 0.475 and 0.525, seven standard deviations on either side.
    @Test func oneBitChangesHalfOfThem() {
        var random = SplitMix64(seed: 2)
        var changes = [Int](repeating: 0, count: 64)
        let trials = 20_000
        for _ in 0..<trials {
            let number = random.next()
            let difference = cipher.seal(number) ^ cipher.seal(number ^ 1 << (random.next() % 64))
            for bit in 0..<64 where difference >> UInt64(bit) & 1 == 1 { changes[bit] += 1 }
        }
        #expect(changes.allSatisfy { (0.475...0.525).contains(Double($0) / Double(trials)) })
    }

    @Test func aKeyHasSixteenBytes() {
        #expect(TokenKey(day: 1, bytes: [UInt8](repeating: 1, count: 15)) == nil)
        #expect(TokenKey(day: 1, bytes: [UInt8](repeating: 1, count: 16))?.day == 1)
    }
}
