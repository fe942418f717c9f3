import Nearby
import Signal
import Testing

@testable import NearbyOffline

/// Tests of the costs of a flood: only devices with the key can fill any storage, and only up to its limit.
@Suite struct FloodTests {
    /// From 2000 devices only fragments arrive, and as many strangers send. The device remembers 256.
    @Test func neighboursAreBounded() throws {
        let keys = EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch)
        var (bea, random) = (OfflineDevice(1), SplitMix64(seed: 5))
        try bea.begin()
        for n in 0..<2000 {
            let chunk = [UInt8](repeating: 0, count: Fragment.chunkByteCount)
            let fragment = Fragment(sender: UInt32(n), generation: 1, index: 3, count: 16, chunk: chunk)
            let noise = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            try bea.hear([keys.seal(fragment, for: .audio), try #require(SealedFrame(bytes: noise))])
        }
        #expect(bea.state.neighbours.count == 256)
        #expect(bea.events() == [])
        // Two epochs later there is room again.
        bea.pass(.seconds(600))
        #expect(bea.state.neighbours.count == 0)
        var anna = OfflineDevice(2, epochs: 2)
        try anna.begin(publishing: [Message("Anna")])
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Anna"])
    }

    /// A device that is known already is heard through a flood.
    @Test func whoIsKnownStaysKnown() throws {
        let keys = EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch)
        var (anna, bea) = (OfflineDevice(1), OfflineDevice(2))
        try anna.begin(publishing: [Message("Anna")])
        try bea.begin()
        try bea.hear(anna.frames)
        for n in 0..<1000 { try bea.hear(tokens: [keys.token(of: UInt32(n), on: .audio)]) }
        try anna.publish(Message("Ann"))
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Anna", "updated Ann"])
    }
}
