import Nearby
import Signal
import Testing

@Suite struct RegistryStateTests {
    /// Two devices that broadcast and scan on audio, of which one publishes and the other subscribes.
    private struct Couple {
        var registry: RegistryState
        var now = Instant.start
        let publisher: RegistryState.DeviceID
        let subscriber: RegistryState.DeviceID
        static let publication = OperationID(1)
        static let subscription = OperationID(2)

        init(
            _ published: Strategy = .standard, _ subscribed: Strategy = .standard,
            deviceLife: Duration = RegistrySettings().deviceLife
        ) throws {
            var settings = RegistrySettings()
            settings.deviceLife = deviceLife
            registry = RegistryState(settings: settings, random: SplitMix64(seed: 0))
            publisher = registry.join(now: now)
            subscriber = registry.join(now: now)
            var report = Report()
            report.published[Couple.publication] = Publication(try Message("hello"), strategy: published)
            _ = try registry.report(report, from: publisher, now: now)
            report = Report()
            report.subscribed[Couple.subscription] = Subscription(strategy: subscribed)
            _ = try registry.report(report, from: subscriber, now: now)
        }

        mutating func token(of device: RegistryState.DeviceID, on medium: Medium = .audio) throws -> Token {
            var report = Report()
            report.wantsTokens = [medium]
            let (answer, _) = try registry.report(report, from: device, now: now)
            return try #require(answer.grants.first { $0.medium == medium }).token
        }

        /// Returns the changes that the subscriber receives when `listener` reports a token.
        mutating func hear(
            _ token: Token, by listener: RegistryState.DeviceID, on medium: Medium = .audio,
            age: Duration = .zero
        ) throws -> (changes: [Answer.Change], isValid: Bool) {
            var report = Report()
            report.observations = [TokenObservation(token, on: medium, age: age)]
            let (answer, events) = try registry.report(report, from: listener, now: now)
            let deliveries = listener == subscriber ? answer.deliveries : events[subscriber]?.deliveries ?? []
            return (deliveries.map(\.change), answer.tokens(.valid).contains(token))
        }
    }

    /// The answer with a new token is lost. The device goes on with its old token, which stays valid until it
    /// sends the new one.
    @Test func aLostGrantEndsNothing() throws {
        var couple = try Couple()
        func plays(_ token: Token) -> Report {
            var report = Report()
            report.playing = [PlayingToken(token, on: .audio, period: .seconds(2))]
            return report
        }
        let sent = try couple.token(of: couple.publisher)
        _ = try couple.registry.report(plays(sent), from: couple.publisher, now: couple.now)
        let lost = try couple.token(of: couple.publisher)
        couple.now = couple.now + .seconds(60)
        #expect(try couple.hear(sent, by: couple.subscriber).isValid)
        // The device asks again while it still sends the old token. The registry gives up the token that
        // never arrived.
        let arrived = try couple.token(of: couple.publisher)
        _ = try couple.registry.report(plays(sent), from: couple.publisher, now: couple.now)
        couple.now = couple.now + .seconds(60)
        #expect(try couple.hear(sent, by: couple.subscriber).isValid)
        #expect(try !couple.hear(lost, by: couple.subscriber).isValid)
        // The device sends the new token, and the old one has ten seconds left.
        _ = try couple.registry.report(plays(arrived), from: couple.publisher, now: couple.now)
        couple.now = couple.now + .seconds(9)
        #expect(try couple.hear(sent, by: couple.subscriber).isValid)
        couple.now = couple.now + .seconds(2)
        #expect(try !couple.hear(sent, by: couple.subscriber).isValid)
        #expect(try couple.hear(arrived, by: couple.subscriber).isValid)
    }

    @Test func eitherSideHearingIsEnough() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        #expect(try couple.hear(token, by: couple.subscriber).changes == [.found])
        var other = try Couple()
        let back = try other.token(of: other.subscriber)
        #expect(try other.hear(back, by: other.publisher).changes == [.found])
    }

    /// The app publishes by scanning alone, and the box subscribes by broadcasting alone.
    @Test func directionsOfTheStrategiesMustFit() throws {
        let scan = Strategy(media: [.audio], mode: .scan)
        let broadcast = Strategy(media: [.audio], mode: .broadcast)
        var box = try Couple(scan, broadcast)
        let token = try box.token(of: box.subscriber)
        #expect(try box.hear(token, by: box.publisher).changes == [.found])
        var wrong = try Couple(broadcast, broadcast)
        let unheard = try wrong.token(of: wrong.subscriber)
        #expect(try wrong.hear(unheard, by: wrong.publisher).changes.isEmpty)
    }

    @Test func aTokenIsGoodOnItsOwnMediumOnly() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher, on: .ble)
        #expect(try couple.hear(token, by: couple.subscriber, on: .audio) == ([], false))
        #expect(try couple.hear(token, by: couple.subscriber, on: .ble) == ([.found], true))
    }

    @Test func earshotCountsSoundOnly() throws {
        var couple = try Couple(Strategy(reach: .earshot))
        let radio = try couple.token(of: couple.publisher, on: .ble)
        #expect(try couple.hear(radio, by: couple.subscriber, on: .ble).changes.isEmpty)
        let sound = try couple.token(of: couple.publisher, on: .audio)
        #expect(try couple.hear(sound, by: couple.subscriber).changes == [.found])
    }

    @Test func unknownFutureAndStaleTokensAreInvalidAlike() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        #expect(try couple.hear(Token(bits: 1), by: couple.subscriber) == ([], false))
        #expect(try couple.hear(token, by: couple.subscriber, age: .seconds(-1)) == ([], false))
        #expect(try couple.hear(token, by: couple.subscriber, age: .seconds(60)) == ([], false))
    }

    @Test func lostOnceNobodyHearsTheOther() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        _ = try couple.hear(token, by: couple.subscriber)
        let early = couple.registry.advance(to: couple.now + .milliseconds(13_499))
        #expect(early.answers.isEmpty)
        let late = couple.registry.advance(to: couple.now + .milliseconds(13_500))
        #expect(late[couple.subscriber]?.deliveries.map(\.change) == [.lost])
    }

    /// A device that shares the channel with many others is not lost for that reason.
    @Test func slowBroadcastersAreMissedLater() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        var report = Report()
        report.playing = [PlayingToken(token, on: .audio, period: .seconds(6))]
        _ = try couple.registry.report(report, from: couple.publisher, now: couple.now)
        _ = try couple.hear(token, by: couple.subscriber)
        #expect(couple.registry.advance(to: couple.now + .milliseconds(23_999)).answers.isEmpty)
        #expect(!couple.registry.advance(to: couple.now + .seconds(24)).answers.isEmpty)
    }

    /// A device cannot stay near for an arbitrarily long time by its own choice.
    @Test func aPeriodCountsOnlySoMuch() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        var report = Report()
        report.playing = [PlayingToken(token, on: .audio, period: .seconds(86_400))]
        _ = try couple.registry.report(report, from: couple.publisher, now: couple.now)
        _ = try couple.hear(token, by: couple.subscriber)
        for seconds in stride(from: 10, through: 119, by: 10) {
            let now = couple.now + .seconds(seconds)
            for device in [couple.publisher, couple.subscriber] {
                let (answer, events) = try couple.registry.report(Report(), from: device, now: now)
                #expect(answer.deliveries.isEmpty && events.answers.isEmpty)
            }
        }
        let late = couple.registry.advance(to: couple.now + .seconds(120))
        #expect(late[couple.subscriber]?.deliveries.map(\.change) == [.lost])
    }

    /// Other devices cannot set a token's period.
    @Test func onlyTheIssuerSetsThePeriod() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        var report = Report()
        report.playing = [PlayingToken(token, on: .audio, period: .seconds(600))]
        _ = try couple.registry.report(report, from: couple.subscriber, now: couple.now)
        _ = try couple.hear(token, by: couple.subscriber)
        #expect(!couple.registry.advance(to: couple.now + .milliseconds(13_500)).answers.isEmpty)
    }

    @Test func endedAndChangedPublicationsAreToldAtOnce() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        _ = try couple.hear(token, by: couple.subscriber)
        var report = Report()
        report.published[Couple.publication] = Publication(try Message("goodbye"))
        let (_, updated) = try couple.registry.report(report, from: couple.publisher, now: couple.now)
        #expect(updated[couple.subscriber]?.deliveries.map(\.change) == [.updated])
        report = Report()
        report.ended = [Couple.publication]
        let (_, lost) = try couple.registry.report(report, from: couple.publisher, now: couple.now)
        #expect(lost[couple.subscriber]?.deliveries.map(\.change) == [.lost])
    }

    @Test func anUnregistrationIsLostAtOnceAndForgotten() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        _ = try couple.hear(token, by: couple.subscriber)
        var report = Report()
        report.unregisters = true
        let (_, events) = try couple.registry.report(report, from: couple.publisher, now: couple.now)
        #expect(events[couple.subscriber]?.deliveries.map(\.change) == [.lost])
        #expect(throws: RegistryError.unknownDevice) {
            try couple.registry.report(Report(), from: couple.publisher, now: couple.now)
        }
    }

    @Test func aSilentDeviceIsForgotten() throws {
        var couple = try Couple()
        let end = Instant.start + .seconds(300)
        _ = couple.registry.advance(to: end - .milliseconds(1))
        #expect(couple.registry.record(of: couple.publisher) != nil)
        _ = couple.registry.advance(to: end)
        #expect(throws: RegistryError.unknownDevice) {
            try couple.registry.report(Report(), from: couple.publisher, now: end)
        }
    }

    /// A publication without a time to live lasts as long as reports renew it.
    @Test func aReportRenewsWhatIsPublished() throws {
        var couple = try Couple()
        for _ in 0..<10 {
            couple.now = couple.now + .seconds(299)
            for device in [couple.publisher, couple.subscriber] {
                _ = try couple.registry.report(Report(), from: device, now: couple.now)
            }
        }
        let token = try couple.token(of: couple.publisher)
        #expect(try couple.hear(token, by: couple.subscriber).changes == [.found])
    }

    /// A device that reports too late is unknown. The devices that had found its publications are notified
    /// that they are gone.
    @Test func whoComesTooLateIsLostAllTheSame() throws {
        var couple = try Couple(deviceLife: .seconds(30))
        let token = try couple.token(of: couple.publisher)
        var report = Report()
        report.playing = [PlayingToken(token, on: .audio, period: .seconds(60))]
        _ = try couple.registry.report(report, from: couple.publisher, now: couple.now)
        _ = try couple.hear(token, by: couple.subscriber)
        couple.now = couple.now + .seconds(20)
        _ = try couple.registry.report(Report(), from: couple.subscriber, now: couple.now)
        couple.now = couple.now + .seconds(10)
        #expect(throws: RegistryError.unknownDevice) {
            try couple.registry.report(Report(), from: couple.publisher, now: couple.now)
        }
        let events = couple.registry.advance(to: couple.now)
        #expect(events[couple.subscriber]?.deliveries.map(\.change) == [.lost])
    }

    /// A subscription that is reported again receives everything that is there.
    @Test func aSubscriptionSaidAgainIsToldAgain() throws {
        var couple = try Couple()
        let token = try couple.token(of: couple.publisher)
        #expect(try couple.hear(token, by: couple.subscriber).changes == [.found])
        var report = Report()
        report.subscribed[Couple.subscription] = Subscription()
        let (answer, _) = try couple.registry.report(report, from: couple.subscriber, now: couple.now)
        #expect(answer.deliveries.map(\.change) == [.found])
    }
}
