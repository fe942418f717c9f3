import NearbyTestSupport
import Signal
import Testing

@testable import Nearby

@Suite struct SealedTokenTests {
    private static let year2030 = 1_893_456_000_000
    /// The turn's number then begins again at zero: 2²⁴ turns after 1970.
    private static let turnsBeginAgain = (1 << 24) * 180_000

    private func tokens(at unixMillis: Int) -> SealedTokens {
        var sealed = SealedTokens(startUnixMillis: Int64(unixMillis))
        let day = unixMillis / 86_400_000
        sealed.keys = TokenKey.test(days: day - 1...day + 1)
        return sealed
    }

    private func handles(_ count: Int) -> [TokenHandle] {
        var random = SplitMix64(seed: 1)
        return (0..<count).map { _ in TokenHandle(using: &random) }
    }

    /// The turns of a device follow one another without a gap, over midnight too, and take 60 to 300 s.
    @Test func turnsFillTheTime() throws {
        let sealed = tokens(at: Self.year2030)
        var lengths: [Double] = []
        for handle in handles(50) {
            var turn = try #require(sealed.turn(at: .start - .seconds(40_000), of: handle))
            let first = sealed.time(of: turn)
            #expect(first.contains(.start - .seconds(40_000)))
            var end = first.upperBound
            while end < .start + .seconds(40_000) {
                turn = try #require(sealed.turn(after: turn, of: handle))
                let time = sealed.time(of: turn)
                #expect(sealed.turn(turn.number, of: handle) == turn)
                #expect(time.lowerBound == end)
                #expect(sealed.turn(at: end, of: handle) == turn)
                #expect(sealed.turn(at: time.upperBound - .milliseconds(1), of: handle) == turn)
                lengths.append((time.upperBound.offset - end.offset).inSeconds)
                end = time.upperBound
            }
        }
        #expect(lengths.allSatisfy { (60...300).contains($0) })
        // 22 000 lengths, of which each has a standard deviation of 49 s: the bound is six of their mean's.
        let mean: Double = lengths.reduce(0, +) / Double(lengths.count)
        #expect(abs(mean - 180) < 2)
        #expect(lengths.min()! < 65 && lengths.max()! > 295)
    }

    /// Devices change their tokens at times of their own.
    @Test func noTwoDevicesChangeTogether() throws {
        let sealed = tokens(at: Self.year2030)
        let ends = try handles(100).map { handle in
            let turn = try #require(sealed.turn(at: .start, of: handle))
            return sealed.time(of: turn).upperBound
        }
        #expect(Set(ends).count > 95)
    }

    @Test(arguments: [year2030, turnsBeginAgain, turnsBeginAgain - 86_400_000 / 2])
    func aTokenSaysWhatWasSealed(at unixMillis: Int) throws {
        let sealed = tokens(at: unixMillis)
        for handle in handles(200) {
            let turn = try #require(sealed.turn(at: .start, of: handle))
            for medium in Medium.allCases {
                let content = SealedTokens.Content(handle: handle, turn: turn.number, medium: medium)
                let token = try #require(sealed.seal(content))
                #expect(sealed.open(token, now: .start) == content)
                #expect(sealed.open(token, now: .start + .seconds(180)) == content)
                // Long after and long before its turn it says nothing.
                #expect(sealed.open(token, now: .start + .seconds(900)) == nil)
                #expect(sealed.open(token, now: .start - .seconds(900)) == nil)
            }
        }
    }

    /// Three of four media and four turns in 2²⁴ make sense: of a million numbers, 0.18 on average. Five or
    /// more come about once in a million runs.
    @Test func numbersByChanceSayNothing() {
        let sealed = tokens(at: Self.year2030)
        var random = SplitMix64(seed: 2)
        let count = (0..<1_000_000).filter { _ in
            sealed.open(Token(bits: random.next()), now: .start) != nil
        }.count
        #expect(count < 5)
    }

    /// Without the keys of a day there is no token, and no other day's key makes or reads one.
    @Test func eachDayHasItsKey() throws {
        let handle = handles(1)[0]
        var sealed = tokens(at: Self.year2030)
        let turn = try #require(sealed.turn(at: .start + .seconds(3600), of: handle))
        let content = SealedTokens.Content(handle: handle, turn: turn.number, medium: .audio)
        let token = try #require(sealed.seal(content))
        sealed.keys.removeLast(2)
        #expect(sealed.seal(content) == nil)
        #expect(sealed.open(token, now: .start + .seconds(3600)) == nil)
        #expect(sealed.turn(at: .start + .seconds(3600), of: handle) == nil)
        #expect(sealed.turn(at: .start - .seconds(3600), of: handle) != nil)
    }
}
