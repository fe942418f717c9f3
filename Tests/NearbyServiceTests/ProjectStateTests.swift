import Nearby
import Testing

@testable import NearbyService

/// Tests of one project as a value: its deliveries and its refusals.
@Suite struct ProjectStateTests {
    @Test func whoHearsFindsAndIsTold() throws {
        var world = ServiceWorld()
        let (_, subscriber, token) = try world.pair()
        let (reply, effects) = try world.report(subscriber) { $0.hear(token) }
        #expect(reply.answer.tokens(.valid) == [token])
        #expect(reply.mailbox!.pending.map(\.change) == [.found])
        #expect(effects.notified.isEmpty, "the answer tells it")
    }

    /// The device that is heard finds the other one too, by its mailbox.
    @Test func whoIsHeardIsTold() throws {
        var world = ServiceWorld()
        let (publisher, subscriber, _) = try world.pair()
        let token = try world.token(of: subscriber)
        let effects = try world.report(publisher) { $0.hear(token) }.effects
        #expect(effects.notified == [subscriber])
        #expect(world.state.member(of: subscriber)!.mailbox.pending.map(\.change) == [.found])
    }

    // MARK: Mailboxes

    @Test func eventsAreToldUntilTheyAreTaken() throws {
        var world = ServiceWorld()
        let (_, subscriber, token) = try world.pair()
        let first = try world.report(subscriber) { $0.hear(token) }.reply.mailbox!
        // The answer was lost: the device names no mailbox from which it has received anything.
        #expect(throws: ServiceRefusal.incomplete) { try world.report(subscriber) }
        let again = try world.report(subscriber, mailbox: first.name).reply.mailbox!
        #expect(again.pending.count == 1 && again.last == 1)
        let taken = try world.report(subscriber, mailbox: first.name, taken: 1).reply.mailbox!
        #expect(taken.pending.isEmpty && taken.last == 1)
    }

    @Test(arguments: [Int64.min, -1, 0, 2, 3, Int64.max])
    func mailboxesTakeAnyNumber(number: Int64) throws {
        var random = SystemRandomNumberGenerator()
        var mailbox = Mailbox(random: &random)
        let discovery = Discovery(id: PublicationID(bits: 1), message: try Message("m"))
        mailbox.add((1...3).map { Answer.Delivery(.found, discovery, to: OperationID($0)) })
        #expect(mailbox.events(after: number).count == 3 - Int(min(3, max(0, number))))
        mailbox.take(upTo: number)
        #expect(mailbox.last == 3)
        #expect(Int64(mailbox.pending.count) == 3 - min(3, max(0, number)))
        #expect(mailbox.events(after: number).count == mailbox.pending.count)
        mailbox.take(upTo: 2)
        #expect(mailbox.pending.count == (number >= 3 ? 0 : 1))
        #expect(mailbox.events(after: 2).count == mailbox.pending.count)
    }

    /// After a restart, the service does not know the deliveries that a device has received. The device
    /// reports everything, and receives everything again.
    @Test func restoredDevicesMustSayEverything() throws {
        var world = ServiceWorld()
        let (publisher, subscriber, _) = try world.pair()
        let token = try world.report(publisher) {
            $0.wantsTokens = [.audio]
            $0.takesTokensAhead = true
        }.reply.answer.grants[0].token
        let mailbox = try world.report(subscriber) { $0.hear(token) }.reply.mailbox!.name
        var restarted = ServiceWorld(seed: 2)
        for secret in [publisher, subscriber] {
            restarted.state.restore(try #require(world.state.stored(secret)), now: .start)
        }
        #expect(throws: ServiceRefusal.incomplete) { try restarted.report(subscriber, mailbox: mailbox) }
        #expect(throws: ServiceRefusal.incomplete) { try restarted.report(subscriber) }
        let reply = try restarted.report(subscriber, mailbox: mailbox) { report in
            report.isComplete = true
            report.subscribed[OperationID(1)] = Subscription()
            report.hear(token)
        }.reply
        #expect(reply.answer.tokens(.valid) == [token], "tokens outlive a restart")
        #expect(reply.mailbox!.name != mailbox)
        #expect(reply.mailbox!.pending.map(\.change) == [.found])
    }

    /// A device that says again and again that it sends a token which is none gets its own ones, but not more
    /// often than by asking.
    @Test func wrongTokensAreReplacedWithinTheBudget() throws {
        var settings = ServiceSettings()
        settings.reportsPerDevice = .init(perSecond: 100, atOnce: 100)
        var world = ServiceWorld(settings)
        let secret = try world.join()
        var times = 0
        for second in 0..<100 {
            world.now = .start + .seconds(second)
            for _ in 0..<10 {
                let answer = try world.report(secret) { report in
                    report.takesTokensAhead = true
                    report.playing = [PlayingToken(Token(bits: 1), on: .audio, period: .seconds(2))]
                }.reply.answer
                if !answer.grants.isEmpty { times += 1 }
            }
        }
        // 60 at once, and two more each second.
        #expect((250...260).contains(times))
    }

    /// A network that recovers delivers reports that were given up meanwhile. The same report twice means
    /// that its answer was lost.
    @Test func aReportThatComesAfterALaterOneIsNotTaken() throws {
        var world = ServiceWorld()
        let secret = try world.join()
        func publish(_ text: String) throws -> (inout Report) -> Void {
            let publication = Publication(try Message(text, type: "t"))
            return { $0.published[OperationID(1)] = publication }
        }
        for (number, text) in [(Int64(1), "a"), (3, "b"), (3, "b")] {
            try world.report(secret, number: number, publish(text))
        }
        for isComplete in [false, true] {
            #expect(throws: ServiceRefusal.incomplete) {
                try world.report(secret, number: 2) {
                    try publish("late")(&$0)
                    $0.isComplete = isComplete
                }
            }
        }
        let stored = try #require(world.state.stored(secret))
        #expect(stored.record.published.values.map(\.message) == [try Message("b", type: "t")])
        try world.report(secret, number: 4, publish("c"))
    }

    @Test func tooManyUntakenEventsAreGivenUp() throws {
        var settings = ServiceSettings()
        settings.eventsPerDevice = 3
        var world = ServiceWorld(settings)
        let (publisher, subscriber, token) = try world.pair()
        let mailbox = try world.report(subscriber) { $0.hear(token) }.reply.mailbox!.name
        for n in 1...3 {
            try world.report(publisher) {
                $0.published[OperationID(1)] = Publication(try Message("\(n)", type: "t"))
            }
        }
        #expect(throws: ServiceRefusal.incomplete) { try world.report(subscriber, mailbox: mailbox) }
    }

    // MARK: Going

    @Test func unregistrationEndsASecret() throws {
        var world = ServiceWorld()
        let (publisher, subscriber, token) = try world.pair()
        try world.report(subscriber) { $0.hear(token) }
        let effects = try world.report(publisher) { $0.unregisters = true }.effects
        #expect(effects.departed == [publisher] && effects.notified == [subscriber])
        #expect(throws: ServiceRefusal.unknown) { try world.report(publisher) }
        #expect(world.state.member(of: subscriber)!.mailbox.pending.map(\.change) == [.found, .lost])
    }

    @Test func silenceEndsASecret() throws {
        var world = ServiceWorld()
        let secret = try world.join()
        world.now = world.now + .seconds(300)
        #expect(world.state.advance(to: world.now).departed == [secret])
        #expect(throws: ServiceRefusal.unknown) { try world.report(secret) }
    }

    @Test func devicesOfARevokedKeyGo() throws {
        var world = ServiceWorld()
        let (old, new) = (try world.join(key: 1), try world.join(key: 2))
        #expect(world.state.keep([KeyID(2)]).departed == [old])
        #expect(throws: ServiceRefusal.unknown) { try world.report(old) }
        try world.report(new)
    }

    // MARK: Bounds

    /// The bounds hold over several reports; an operation that ends makes room.
    @Test func operationsOfADeviceHaveBounds() throws {
        var settings = ServiceSettings()
        (settings.operationsPerDevice, settings.contentBytesPerDevice) = (3, 1000)
        var world = ServiceWorld(settings)
        let secret = try world.join()
        func publish(_ id: UInt64, bytes: Int, ending: UInt64? = nil) throws -> [OperationID: String] {
            try world.report(secret) { report in
                let message = try Message([UInt8](repeating: 1, count: bytes))
                report.published[OperationID(id)] = Publication(message)
                report.ended = Set([ending].compactMap { $0 }.map { OperationID($0) })
            }.reply.answer.refused
        }
        for id in 1...3 { #expect(try publish(UInt64(id), bytes: 300) == [:]) }
        #expect(try Array(publish(4, bytes: 1).keys) == [OperationID(4)])
        // The operations that were there before stay.
        #expect(try Array(publish(3, bytes: 500).keys) == [OperationID(3)])
        #expect(world.state.stored(secret)?.record.published[OperationID(3)]?.message.content.count == 300)
        #expect(try publish(4, bytes: 400, ending: 1) == [:])
    }

    /// A refused part of a report affects no other part. Of a complete report, the service takes as much as
    /// it has room for, the oldest first.
    @Test func eachPartOfAReportStandsForItself() throws {
        var settings = ServiceSettings()
        settings.operationsPerDevice = 3
        var world = ServiceWorld(settings)
        let (_, subscriber, token) = try world.pair()
        let answer = try world.report(subscriber) { report in
            report.isComplete = true
            for id in UInt64(1)...5 { report.published[OperationID(id)] = Publication(try Message("m")) }
            report.hear(token)
            report.wantsTokens = [.ble]
        }.reply.answer
        #expect(Set(answer.refused.keys) == [OperationID(4), OperationID(5)])
        #expect(answer.tokens(.valid) == [token] && answer.grants.count == 1)
        #expect(world.state.stored(subscriber)?.record.published.count == 3)
    }

    /// Attackers of one network fill their part of a project's room and no more. The room is free again when
    /// they leave.
    @Test func nobodyFillsAProjectAlone() throws {
        var settings = ServiceSettings()
        settings.bytesKeptPerProject = 4_000_000
        var world = ServiceWorld(settings)
        var attackers: [SecretHash] = []
        for _ in 0..<30 {
            attackers.append(try world.join(from: .attacker(1)))
            try world.report(attackers.last!, at: .attacker(1)) { report in
                report.published[OperationID(1)] = Publication(
                    try Message([UInt8](repeating: 1, count: 100_000)))
            }
        }
        let honest = try world.join(from: .attacker(500))
        func publish() throws -> [OperationID: String] {
            try world.report(honest, at: .attacker(500)) { report in
                report.published[OperationID(1)] = Publication(try Message("here"))
            }.reply.answer.refused
        }
        #expect(try publish() == [:])
        let kept = attackers.count { world.state.stored($0)?.record.published.isEmpty == false }
        #expect(kept == 19, "half of the room")
        for attacker in attackers { try world.report(attacker, at: .attacker(1)) { $0.unregisters = true } }
        #expect(try world.join(from: .attacker(1)) != honest)
    }

    @Test func reportsOfADeviceHaveARate() throws {
        var settings = ServiceSettings()
        settings.reportsPerDevice = .init(perSecond: 2, atOnce: 3)
        var world = ServiceWorld(settings)
        let secret = try world.join()
        for _ in 0..<3 { try world.report(secret) }
        #expect(throws: ServiceRefusal.tooMuch(.reportsOfDevice, retryAfter: .seconds(0.5))) {
            try world.report(secret)
        }
        world.now = world.now + .seconds(0.5)
        try world.report(secret)
    }
}
