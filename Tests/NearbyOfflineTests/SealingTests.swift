import Nearby
import Signal
import Testing

@testable import NearbyOffline

@Suite struct SealingTests {
    private let keys = EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch)

    private func frame(_ count: Int) throws -> (Fragment, SealedFrame) {
        let chunk = (0..<count).map { UInt8($0) }
        let fragment = Fragment(sender: 7, generation: 3, index: 0, count: 1, chunk: chunk)
        return (fragment, keys.seal(fragment, for: .audio))
    }

    @Test(arguments: 1...17)
    func whatIsSealedIsOpened(count: Int) throws {
        let (fragment, frame) = try frame(count)
        #expect(frame.bytes.count == 15 + count)
        #expect(keys.open(frame, on: .audio) == fragment)
        #expect(Sighting.Payload(frame: frame.bytes) == .sealed(frame))
    }

    @Test(arguments: [1, 9, 17])
    func aChangedBitIsNoticed(count: Int) throws {
        let (_, frame) = try frame(count)
        for bit in 0..<8 * frame.bytes.count {
            var bytes = frame.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(keys.open(try #require(SealedFrame(bytes: bytes)), on: .audio) == nil)
        }
        for shorter in SealedFrame.byteCounts.lowerBound..<frame.bytes.count {
            let cut = try #require(SealedFrame(bytes: frame.bytes.prefix(shorter)))
            #expect(keys.open(cut, on: .audio) == nil)
        }
    }

    @Test func aChangedBitOfATokenIsNoticed() {
        let token = keys.token(of: 7, on: .audio)
        for bit in 0..<64 {
            #expect(keys.sender(of: Token(bits: token.bits ^ 1 << UInt64(bit)), on: .audio) == nil)
        }
    }

    @Test func projectEpochAndMediumAreBound() throws {
        let (_, frame) = try frame(17)
        let token = keys.token(of: 7, on: .audio)
        let otherKey = try #require(OfflineProject(name: "shop", key: 1..<33))
        let otherName = try #require(OfflineProject(name: "bar", key: 0..<32))
        let others = [
            EpochKeys(otherKey, epoch: OfflineDevice.epoch), EpochKeys(otherName, epoch: OfflineDevice.epoch),
            EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch + 1),
        ]
        for other in others {
            #expect(other.open(frame, on: .audio) == nil)
            #expect(other.sender(of: token, on: .audio) == nil)
        }
        #expect(keys.open(frame, on: .ble) == nil)
        #expect(keys.sender(of: token, on: .ble) == nil)
    }

    /// A random token opens with probability 2^-32, a random frame with 2^-64: with another seed one of 100
    /// 000 tokens would in 0.002 % of such tests.
    @Test func randomBytesAreNothing() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<100_000 { #expect(keys.sender(of: Token(bits: random.next()), on: .audio) == nil) }
        for _ in 0..<20_000 {
            let count = 16 + Int(random.next() % 17)
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(keys.open(try #require(SealedFrame(bytes: bytes)), on: .audio) == nil)
        }
    }

    /// Half of the sealed bits change with any of the epochs or senders: the mean of 64 000 bits is within 5
    /// standard deviations (0.01) of a half.
    @Test func tokensOfOneDeviceLookLikeAnyOthers() {
        var ones = 0
        var last = keys.token(of: 7, on: .audio).bits
        for n in 1...1000 {
            let next = EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch + UInt64(n)).token(
                of: 7, on: .audio)
            ones += (next.bits ^ last).nonzeroBitCount
            last = next.bits
        }
        #expect(abs(Double(ones) / 64_000 - 0.5) < 0.01)
    }
}
