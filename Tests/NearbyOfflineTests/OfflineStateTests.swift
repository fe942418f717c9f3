import Nearby
import Testing

@testable import NearbyOffline

@Suite struct OfflineStateTests {
    private func message(_ text: String, type: String = "name") throws -> Message {
        try Message(text, type: type)
    }

    private func pair(epochs: Int = 0, reach: Strategy.Reach = .anywhere, _ text: String = "Anna") throws -> (
        OfflineDevice, OfflineDevice
    ) {
        var (anna, bea) = (OfflineDevice(1, epochs: epochs), OfflineDevice(2))
        try anna.begin(publishing: [message(text)], reach: reach)
        try bea.begin()
        return (anna, bea)
    }

    @Test func aMessageIsFoundChangedAndLost() throws {
        var (anna, bea) = try pair()
        #expect(anna.frames.count == 1 && anna.token != nil)
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Anna"])
        try anna.publish(message("Ann"))
        try bea.hear(anna.frames)
        #expect(bea.events() == ["updated Ann"])
        bea.pass(.milliseconds(13_400))
        #expect(bea.events() == [])
        bea.pass(.milliseconds(200))
        #expect(bea.events() == ["lost Ann"])
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Ann"])
    }

    /// A token alone finds nothing, but it keeps what is known.
    @Test func tokensKeepWhatWasFound() throws {
        var (anna, bea) = try pair()
        let token = try #require(anna.token)
        try bea.hear(tokens: [token])
        #expect(bea.lastAnswer.tokens(.valid) == [token])
        #expect(bea.events() == [])
        try bea.hear(anna.frames)
        for _ in 0..<10 {
            bea.pass(.seconds(5))
            try bea.hear(tokens: [token])
        }
        #expect(bea.events() == ["found Anna"])
        #expect(bea.lastAnswer.tokens(.valid) == [token])
    }

    @Test func whatIsNoMoreOnTheBulletinIsLost() throws {
        var (anna, bea) = (OfflineDevice(1), OfflineDevice(2))
        try anna.begin(publishing: [message("Anna"), message("tea")])
        try bea.begin()
        try bea.hear(anna.frames)
        #expect(bea.events().sorted() == ["found Anna", "found tea"])
        var report = Report()
        report.ended = [OperationID(1)]
        try anna.take(report)
        try bea.hear(anna.frames)
        #expect(bea.events() == ["lost Anna"])
    }

    /// The device reports the end until its token is over; then it is silent.
    @Test func whoEndsItsLastPublicationIsLostAtOnce() throws {
        var (anna, bea) = try pair()
        try bea.hear(anna.frames)
        var report = Report()
        report.ended = [OperationID(1)]
        report.wantsTokens = [.audio]
        try anna.take(report)
        #expect(anna.lastAnswer.grants.isEmpty)
        try bea.hear(anna.frames, tokens: [try #require(anna.token)])
        #expect(bea.events() == ["found Anna", "lost Anna"])
        anna.pass(.seconds(600))
        #expect(anna.frames.isEmpty)
    }

    /// A device that only subscribes sends nothing, and neither does one that has ended.
    @Test func listenersAreSilent() throws {
        var (anna, bea) = try pair()
        #expect(bea.token == nil && bea.frames.isEmpty)
        var unregistration = Report()
        unregistration.unregisters = true
        try anna.take(unregistration)
        #expect(anna.frames.isEmpty)
        try bea.hear(anna.frames)
        #expect(bea.events() == [])
    }

    @Test func ownFramesAreNothing() throws {
        var (anna, _) = try pair()
        try anna.hear(anna.frames, tokens: [try #require(anna.token)])
        #expect(anna.events() == [])
    }

    @Test func otherProjectsAreNothing() throws {
        var anna = OfflineDevice(1)
        try anna.begin(publishing: [message("Anna")])
        for project in [OfflineProject(name: "shop", key: 1..<33), OfflineProject(name: "bar", key: 0..<32)] {
            var bea = OfflineDevice(2, project: try #require(project))
            try bea.begin()
            try bea.hear(anna.frames, tokens: [try #require(anna.token)])
            #expect(bea.events() == [])
            #expect(bea.lastAnswer.tokens(.invalid).count == 1)
        }
    }

    @Test(arguments: [-2, -1, 0, 1, 2])
    func clocksMayDifferByAnEpoch(epochs: Int) throws {
        var (anna, bea) = try pair(epochs: epochs)
        let token = try #require(anna.token)
        try bea.hear(anna.frames, tokens: [token])
        #expect(bea.events() == (abs(epochs) <= 1 ? ["found Anna"] : []))
        #expect((bea.lastAnswer.tokens(.valid) == [token]) == (abs(epochs) <= 1))
    }

    /// A new epoch brings another token and other frames, before the old ones are over. Nobody is lost by it.
    @Test func epochsFollowOneAnother() throws {
        var (anna, bea) = try pair()
        var (tokens, frames): (Set<Token>, Set<SealedFrame>) = ([], [])
        for _ in 0..<300 {
            try bea.hear(anna.frames, tokens: [try #require(anna.token)])
            tokens.insert(try #require(anna.token))
            frames.formUnion(anna.frames)
            anna.pass(.seconds(5))
            bea.pass(.seconds(5))
        }
        #expect(bea.events() == ["found Anna"])
        #expect(tokens.count == 6 && frames.count == 6)
    }

    // MARK: Replay

    @Test func anOldVersionDoesNotComeBack() throws {
        var (anna, bea) = try pair()
        let old = anna.frames
        try bea.hear(old)
        try anna.publish(message("Ann"))
        try bea.hear(anna.frames)
        try bea.hear(old)
        #expect(bea.events() == ["found Anna", "updated Ann"])
    }

    /// Recorded frames are valid until the end of the next epoch, for devices that have heard nothing newer.
    @Test func replayEndsWithTheNextEpoch() throws {
        var (anna, bea) = try pair()
        let (frames, token) = (anna.frames, try #require(anna.token))
        bea.pass(.seconds(290 + 299))
        try bea.hear(frames, tokens: [token])
        #expect(bea.events() == ["found Anna"])
        bea.pass(.seconds(1))
        #expect(bea.events() == [])
        try bea.hear(frames, tokens: [token])
        #expect(bea.lastAnswer.tokens(.invalid) == [token])
        bea.pass(.seconds(13))
        #expect(bea.events() == ["lost Anna"])
        // Frames of the next epoch outdate the recorded ones at once.
        anna.pass(.seconds(300))
        let now = anna.frames
        var cleo = OfflineDevice(3, epochs: 1)
        try cleo.begin()
        try cleo.hear(now)
        #expect(cleo.events() == ["found Anna"])
        try cleo.hear(frames, tokens: [token])
        #expect(cleo.lastAnswer.tokens(.invalid) == [token])
    }

    @Test func framesAreOfOneMedium() throws {
        var (anna, bea) = try pair()
        try bea.hear(anna.frames, on: .ble)
        #expect(bea.events() == [])
    }

    @Test func whatIsTooMuchIsRefused() throws {
        var anna = OfflineDevice(1)
        try anna.begin(publishing: [message("Anna")])
        let frames = anna.frames
        #expect(throws: RegistryError.self) {
            try anna.publish(Message([UInt8](repeating: 1, count: 256)), as: 2)
        }
        #expect(anna.frames == frames)
        // There are 1 + 4 + 255 of 272 bytes: sixteen frames.
        var bea = OfflineDevice(2)
        try bea.begin(publishing: [Message([UInt8](repeating: 65, count: 255))])
        #expect(bea.frames.count == 16)
        var cleo = OfflineDevice(3)
        try cleo.begin()
        try cleo.hear(bea.frames.reversed())
        #expect(cleo.events().count == 1)
    }

    @Test func aLongSilenceAsksForEverything() throws {
        var (anna, bea) = try pair()
        bea.time.now = bea.time.now + .seconds(100)
        #expect(throws: RegistryError.unknownDevice) { try bea.take(Report()) }
        try bea.begin()
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Anna"])
        try anna.publish(message("Ann"))
    }

    /// A publisher's clock was ahead and is set right. A device that heard it would take its new frames for a
    /// recording, unless the publisher has a new identity by then.
    @Test func aClockThatGoesBackIsHeardAtOnce() throws {
        var (anna, bea) = try pair(epochs: 1)
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Anna"])
        let (frames, token) = (anna.frames, anna.token)
        anna.time.wall -= .seconds(300)
        try anna.take(Report())
        #expect(anna.frames != frames && anna.token != token)
        try bea.hear(anna.frames, tokens: [try #require(anna.token)])
        #expect(bea.events() == ["found Anna"])
        // Its former frames, still in the air, belong to nobody.
        var listening = Report()
        listening.heard = frames.map { FrameObservation($0, on: .audio, age: .zero) }
        listening.subscribed[OfflineDevice.subscription] = Subscription(.everything)
        try anna.take(listening)
        #expect(anna.events().isEmpty)
    }

    /// Events of a loss survive a report that is refused.
    @Test func refusalsTakeNoEvents() throws {
        var (anna, bea) = try pair()
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Anna"])
        bea.time.now = bea.time.now + .seconds(20)
        let long = try Message(String(repeating: "x", count: 400))
        #expect(throws: RegistryError.self) { try bea.publish(long) }
        bea.take(bea.state.takeEvents())
        #expect(bea.events() == ["lost Anna"])
    }

    /// A laptop that was asleep loses nobody for that reason.
    @Test func aStallIsNobodysSilence() throws {
        var (anna, bea) = try pair()
        try bea.hear(anna.frames)
        #expect(bea.events() == ["found Anna"])
        bea.time.now = bea.time.now + .seconds(600)
        bea.state.standStill(for: .seconds(600), now: bea.time.now)
        bea.take(bea.state.advance(to: bea.time))
        #expect(bea.events().isEmpty)
        bea.pass(.seconds(31))
        #expect(bea.events() == ["lost Anna"])
    }
}
