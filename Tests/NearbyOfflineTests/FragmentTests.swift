import Nearby
import Signal
import Testing

@testable import NearbyOffline

/// Tests of messages of several frames, signed ones among them.
@Suite struct FragmentTests {
    private let key = PublisherKey(bytes: [UInt8](repeating: 1, count: 32))!
    private let stranger = PublisherKey(bytes: [UInt8](repeating: 2, count: 32))!

    private func speaker(_ seed: UInt64, _ text: String, signer: PublisherKey? = nil) throws -> OfflineDevice
    {
        var device = OfflineDevice(seed, signer: signer)
        try device.begin(publishing: [Message(text, type: "name")])
        return device
    }

    private func listener(trusting keys: [PublisherKey] = []) throws -> OfflineDevice {
        var device = OfflineDevice(
            99, trust: keys.isEmpty ? .members : .publishers(keys.map(\.publisher)))
        try device.begin()
        return device
    }

    private let long = "Anna has tea in the kitchen until five o'clock, come in"

    @Test func signedMessagesAreFoundByWhoTrustsTheirPublisher() throws {
        let anna = try speaker(1, "Anna", signer: key)
        // The message has 13 bytes, and the signature 64.
        #expect(anna.frames.count == 5)
        for (trusted, isFound) in [([], true), ([key], true), ([stranger, key], true), ([stranger], false)] {
            var bea = try listener(trusting: trusted)
            try bea.hear(anna.frames)
            #expect(bea.events() == (isFound ? ["found Anna"] : []))
        }
    }

    /// A message of the stated maximum length goes through, and one more byte does not.
    @Test(arguments: [false, true])
    func theLongestMessageGoesThrough(isSigned: Bool) throws {
        let limit = OfflineRegistry.messageByteLimit(isSigned: isSigned)
        // A field holds 255 bytes.
        func message(_ count: Int) throws -> Message {
            try Message([UInt8](repeating: 120, count: count - 20), type: String(repeating: "t", count: 20))
        }
        var anna = OfflineDevice(1, signer: isSigned ? key : nil)
        try anna.begin(publishing: [message(limit)])
        var bea = try listener()
        try bea.hear(anna.frames)
        #expect(try bea.events() == ["found \(message(limit).text)"])
        let error = #expect(throws: RegistryError.self) { try anna.publish(message(limit + 1)) }
        guard case .refused? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func unsignedMessagesAreDroppedWhereSignaturesAreAsked() throws {
        let anna = try speaker(1, "Anna")
        var bea = try listener(trusting: [key])
        try bea.hear(anna.frames, tokens: [try #require(anna.token)])
        #expect(bea.events() == [])
        // A bulletin that another member has signed is dropped too, and does not stop the right one's next
        // bulletin.
        var cleo = try speaker(2, "Cleo", signer: stranger)
        try bea.hear(cleo.frames)
        cleo = try speaker(3, "Cleo", signer: key)
        try bea.hear(cleo.frames)
        #expect(bea.events() == ["found Cleo"])
    }

    /// A member who has recorded a signed bulletin cannot send it for another epoch, sender or generation.
    @Test func aSignatureIsOfOneEpochSenderAndGeneration() throws {
        let anna = try speaker(1, "Anna", signer: key)
        let keys = EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch)
        let next = EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch + 1)
        let fragments = try anna.frames.map { try #require(keys.open($0, on: .audio)) }
        let forgeries: [(EpochKeys, (inout Fragment) -> Void)] = [
            (next, { _ in }), (keys, { $0.sender ^= 1 }), (keys, { $0.generation += 1 }),
            (keys, { if $0.index == 0 { $0.chunk[12] ^= 1 } }),
        ]
        for (sealing, change) in forgeries {
            var bea = try listener(trusting: [key])
            let forged = fragments.map { fragment in
                var forged = fragment
                change(&forged)
                return sealing.seal(forged, for: .audio)
            }
            try bea.hear(forged)
            #expect(bea.events() == [])
        }
    }

    /// A forged fragment does not prevent reception. It may be of another generation, epoch or count, or a
    /// false one of this bulletin.
    @Test(arguments: [nil, "Anna"]) func forgedFragmentsSilenceNobody(known: String?) throws {
        var anna = try speaker(1, known ?? "Anna has left", signer: key)
        let epoch = OfflineDevice.epoch
        func seal(_ epoch: UInt64, _ change: (inout Fragment) -> Void) throws -> SealedFrame {
            let keys = EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch)
            var forged = try #require(keys.open(anna.frames[0], on: .audio))
            change(&forged)
            return EpochKeys(OfflineDevice.project, epoch: epoch).seal(forged, for: .audio)
        }
        let forgeries = [
            try seal(epoch) { $0.generation = .max }, try seal(epoch + 1) { $0.generation = .max },
            try seal(epoch + 1) { _ in }, try seal(epoch) { $0.count = 16 },
            try seal(epoch) { $0.chunk[0] ^= 1 },
        ]
        for forged in forgeries {
            var bea = try listener(trusting: [key])
            if known != nil {
                try bea.hear(anna.frames)
                #expect(bea.events() == ["found Anna"])
            }
            try bea.hear([forged], tokens: [try #require(anna.token)])
            var speaker = anna
            if known != nil { try speaker.publish(Message("Anna has left", type: "name")) }
            // A fragment that was forged under this bulletin's name costs one round.
            for _ in 0..<2 { try bea.hear(speaker.frames) }
            #expect(bea.events() == [known == nil ? "found Anna has left" : "updated Anna has left"])
        }
        _ = anna.events()
    }

    /// Any member can make a token without the publisher's key. It keeps a signed message for only one epoch
    /// more.
    @Test func tokensAloneKeepASignedMessageForOneEpoch() throws {
        var anna = try speaker(1, "Anna", signer: key)
        var bea = try listener(trusting: [key])
        try bea.hear(anna.frames)
        for _ in 0..<180 {
            try bea.hear(tokens: [try #require(anna.token)])
            anna.pass(.seconds(5))
            bea.pass(.seconds(5))
        }
        #expect(bea.events() == ["found Anna", "lost Anna"])
    }

    @Test func aLostFragmentIsAwaited() throws {
        let anna = try speaker(1, long)
        #expect(anna.frames.count == 4)
        for lost in anna.frames.indices {
            var bea = try listener()
            try bea.hear(anna.frames.enumerated().filter { $0.offset != lost }.map(\.element))
            #expect(bea.events() == [])
            try bea.hear([anna.frames[lost]])
            #expect(bea.events() == ["found \(long)"])
        }
    }

    /// Frames of six devices and of two versions arrive shuffled, some of them twice, one to three in a
    /// report.
    @Test(arguments: 0..<20)
    func sendersAndVersionsAreNotMixed(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bea = try listener()
        var frames: [SealedFrame] = []
        for n in 0..<6 {
            var one = try speaker(UInt64(n), "\(long) \(n)", signer: n % 2 == 0 ? key : nil)
            frames += one.frames
            try one.publish(Message("\(long), \(n)", type: "name"))
            frames += one.frames + one.frames
        }
        frames.shuffle(using: &random)
        while !frames.isEmpty {
            let count = min(frames.count, 1 + Int(random.next() % 3))
            try bea.hear(Array(frames.prefix(count)))
            frames.removeFirst(count)
        }
        // An old version may be complete before the first frame of the new one is heard, and never after it.
        let found = Dictionary(
            bea.deliveries.map { ($0.discovery.id, $0.discovery.message.text) }, uniquingKeysWith: { $1 })
        #expect(Set(found.values) == Set((0..<6).map { "\(long), \($0)" }))
    }

    @Test func earshotIsToldOnAir() throws {
        var anna = OfflineDevice(1)
        try anna.begin(publishing: [Message("Anna")], reach: .earshot)
        var bea = try listener()
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Anna"])
    }
}
