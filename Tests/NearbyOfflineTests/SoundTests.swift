import Nearby
import Testing

@testable import NearbyOffline

/// Tests from end to end with real waveforms, without any registry between the devices.
@Suite struct SoundTests {
    private static let strategy = Strategy(media: [.audio])
    private static let box = Strategy(media: [.audio], mode: .broadcast)
    private static let scanning = Strategy(media: [.audio], mode: .scan)

    private func message(_ text: String) throws -> Message { try Message(text, type: "name") }

    /// A box only broadcasts and a phone only listens, 5 dB above the noise of the whole band, with clocks
    /// half a minute apart. The message is found, changed and lost. The epoch ends 30 s after the beginning,
    /// and earlier for the box. This holds for all of 10 seeds; a chance of one in four to be late would show
    /// with probability 1 − 0.75^10 = 94 %.
    @Test(arguments: 0..<10)
    func aMessageIsFoundChangedAndLostBySound(seed: UInt64) throws {
        var room = SoundRoom(seed: seed, snrDecibels: 5)
        let (box, phone) = (room.join(skew: .seconds(15)), room.join(skew: .seconds(-15)))
        let (first, second) = (try message("open"), try message("closed"))
        try room.execute(phone) { .subscribe($0, Subscription(.type("name"), strategy: Self.scanning)) }
        room.run(seconds: 1)
        try room.execute(box) { .publish($0, Publication(first, strategy: Self.box)) }
        let began = room.seconds
        room.run(seconds: 60)
        let found = try #require(room.time(of: "found open", phone)) - began
        #expect(found < 6)
        #expect(room.time(of: "lost open", phone) == nil)

        try room.execute(box) { _ in .republish(OperationID(1), second) }
        let changed = room.seconds
        room.run(seconds: 20)
        let updated = try #require(room.time(of: "updated closed", phone)) - changed
        #expect(updated < 8)

        room.members[box].isHere = false
        let left = room.seconds
        room.run(seconds: 40)
        let lost = try #require(room.time(of: "lost closed", phone)) - left
        #expect((8...25).contains(lost))
        #expect(room.members[phone].events.count == 3)
        #expect(room.members[phone].sentCount == 0)
        print("found after \(found) s, updated after \(updated) s, lost after \(lost) s")
    }

    /// Both publish and listen, in turns; one ends its publication and stays.
    @Test(arguments: 0..<4)
    func twoPhonesFindEachOther(seed: UInt64) throws {
        var room = SoundRoom(seed: 100 + seed, snrDecibels: 10)
        let phones = [room.join(), room.join(skew: .seconds(200))]
        for (phone, name) in zip(phones, ["Anna", "Bea"]) {
            let message = try message(name)
            try room.execute(phone) { .publish($0, Publication(message, strategy: Self.strategy)) }
            try room.execute(phone) { .subscribe($0, Subscription(.type("name"), strategy: Self.strategy)) }
        }
        room.run(seconds: 60) {
            $0.time(of: "found Bea", phones[0]) != nil && $0.time(of: "found Anna", phones[1]) != nil
        }
        let found = room.seconds
        #expect(found < 30)
        room.run(seconds: 20)
        #expect(room.members.allSatisfy { $0.events.count == 1 })
        try room.execute(phones[0]) { _ in .unpublish(OperationID(1)) }
        let ended = room.seconds
        room.run(seconds: 40)
        let lost = try #require(room.time(of: "lost Anna", phones[1])) - ended
        #expect(lost < 20)
        #expect(room.time(of: "lost Bea", phones[0]) == nil)
        print("both found after \(found) s, lost after \(lost) s")
    }

    /// Five frames and a token follow one another: a signed message reaches a device that trusts its
    /// publisher, and not one that trusts another.
    @Test(arguments: 0..<3)
    func aSignedMessageIsFoundBySound(seed: UInt64) throws {
        let key = try #require(PublisherKey(bytes: [UInt8](repeating: 1, count: 32)))
        let other = try #require(PublisherKey(bytes: [UInt8](repeating: 2, count: 32)))
        var room = SoundRoom(seed: 200 + seed, snrDecibels: 10)
        let box = room.join(signer: key)
        let phone = room.join(trust: .publishers([key.publisher]))
        let stranger = room.join(trust: .publishers([other.publisher]))
        for one in [phone, stranger] {
            try room.execute(one) { .subscribe($0, Subscription(.everything, strategy: Self.scanning)) }
        }
        let open = try message("open")
        try room.execute(box) { .publish($0, Publication(open, strategy: Self.box)) }
        room.run(seconds: 40)
        let found = try #require(room.time(of: "found open", phone))
        #expect(found < 20)
        #expect(room.members[stranger].events.isEmpty)
        print("signed: found after \(found) s")
    }

    /// The actors are two engines and their registries, on the system's clocks. Frames are passed on
    /// unchanged.
    @Test func enginesFindEachOther() async throws {
        let air = FrameAir()
        let box = NearbyEngine(media: [air.medium()], registry: OfflineRegistry(OfflineDevice.project))
        let phone = NearbyEngine(media: [air.medium()], registry: OfflineRegistry(OfflineDevice.project))
        let publication = try await box.publish(message("open"), strategy: Self.box)
        var events = try await phone.subscribe(to: .type("name"), strategy: Self.scanning).makeAsyncIterator()
        guard case .found(let found)? = await events.next() else {
            Issue.record("nothing was found")
            return
        }
        #expect(found.message.text == "open")
        try await publication.update(message("closed"))
        guard case .updated(let changed)? = await events.next() else {
            Issue.record("nothing was changed")
            return
        }
        #expect(changed.message.text == "closed" && changed.id == found.id)
        await box.end()
        await phone.end()
    }
}
