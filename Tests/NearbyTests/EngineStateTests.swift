import Nearby
import Signal
import Testing

/// Tests of one device's state, step by step, with answers made by hand.
@Suite struct EngineStateTests {
    private static let (one, two) = (OperationID(1), OperationID(2))

    private func discovery(_ text: String, _ id: UInt64 = 7) throws -> Discovery {
        Discovery(id: PublicationID(bits: id), message: try Message(text))
    }

    // MARK: Permission

    /// Deliveries from before the registry has received the withdrawal reach nobody.
    @Test func nothingIsFoundOnceTheUserHasDenied() throws {
        var device = EngineDevice()
        try device.execute(.subscribe(Self.one, Subscription()))
        device.answer()
        let x = try discovery("x")
        device.set(.denied)
        device.tell([.init(.found, x, to: Self.one)])
        device.answer([.init(.found, x, to: Self.one)])
        #expect(device.events[Self.one] == nil)
        // The same holds if permission is back before the registry knows that it was gone.
        device = EngineDevice()
        try device.execute(.subscribe(Self.one, Subscription()))
        device.set(.denied)
        device.set(.granted)
        device.answer([.init(.found, x, to: Self.one)])
        #expect(device.events[Self.one] == nil)
        #expect(device.reports.last?.ended == [Self.one])
        #expect(device.reports.last?.subscribed[Self.one] != nil)
        device.answer([.init(.found, x, to: Self.one)])
        #expect(device.events[Self.one] == [.found(x)])
    }

    /// The registry may have accepted a report that failed, so that it has to forget that report's contents.
    @Test func aWithdrawalAlsoEndsWhatAFailedReportSaid() throws {
        var device = EngineDevice()
        try device.execute(.publish(Self.one, Publication(Message("x"))))
        device.fail(.unreachable("no answer"))
        device.set(.denied)
        device.pass(.seconds(2))
        #expect(device.reports.last?.ended == [Self.one])
        #expect(device.reports.last?.published.isEmpty == true)
    }

    // MARK: A registry that comes back

    /// Reports become rarer while the registry is silent. As soon as it answers again, even if only that it
    /// has forgotten everyone, the next report contains everything.
    @Test func aRegistryThatIsBackIsToldEverythingAtOnce() throws {
        var device = EngineDevice()
        try device.execute(.publish(Self.one, Publication(Message("x"))))
        for _ in 0..<5 {
            device.fail(.unreachable("no answer"))
            device.pass(.seconds(31))
        }
        let count = device.reports.count
        device.fail(.unknownDevice)
        #expect(device.reports.count == count + 1)
        #expect(device.reports.last?.isComplete == true)
        device.fail(.unknownDevice)
        #expect(device.reports.count == count + 1)
    }

    /// A registry that has forgotten everything renames a publication. It is not counted twice.
    @Test func whatComesBackUnderAnotherNameIsCountedOnce() throws {
        var device = EngineDevice()
        try device.execute(.subscribe(Self.one, Subscription()))
        let message = try Message("x")
        let (old, new) = (
            Discovery(id: PublicationID(bits: 1), message: message),
            Discovery(id: PublicationID(bits: 2), message: message)
        )
        let other = Discovery(id: PublicationID(bits: 3), message: try Message("y"))
        device.answer([.init(.found, old, to: Self.one), .init(.found, other, to: Self.one)])
        device.pass(.seconds(5))
        device.fail(.unknownDevice)
        device.answer([.init(.found, new, to: Self.one)])
        #expect(device.events[Self.one] == [.found(old), .found(other), .lost(old), .found(new)])
        // Another publication with the same content is a different one.
        let twin = Discovery(id: PublicationID(bits: 4), message: message)
        device.tell([.init(.found, twin, to: Self.one)])
        #expect(device.events[Self.one]?.last == .found(twin))
    }

    // MARK: Answers that are lost

    /// The registry repeats deliveries if their answer did not arrive.
    @Test func whatALostAnswerToldIsToldAgain() throws {
        var registry = RegistryState(random: SplitMix64(seed: 0))
        let (other, me) = (registry.join(now: .start), registry.join(now: .start))
        var report = Report()
        report.published[Self.two] = Publication(try Message("x"))
        report.wantsTokens = [.audio]
        let token = try registry.report(report, from: other, now: .start).0.grants[0].token

        var device = EngineDevice()
        try device.execute(.subscribe(Self.one, Subscription()))
        device.take(
            device.state.answered(
                try registry.report(device.reports.last!, from: me, now: device.now).0, now: device.now))
        device.hear(.token(token))
        _ = try registry.report(device.reports.last!, from: me, now: device.now)
        device.fail(.unreachable("no answer"))
        let count = device.reports.count
        device.pass(.seconds(2))
        #expect(device.reports.count == count + 1)
        device.take(
            device.state.answered(
                try registry.report(device.reports.last!, from: me, now: device.now).0, now: device.now))
        guard case .found(let found) = device.events[Self.one]?.first else {
            Issue.record("not found")
            return
        }
        #expect(found.message.text == "x")
    }

    // MARK: Tokens

    /// The tokens of both media change together: when the second begins, and whenever their time is over.
    @Test func allTokensChangeTogether() throws {
        var device = EngineDevice(media: [.audio, .ble])
        try device.execute(.publish(Self.one, Publication(Message("x"), strategy: Strategy(media: [.audio]))))
        device.answer()
        let first = device.token(on: .audio)
        #expect(first != nil)
        try device.execute(.publish(Self.two, Publication(Message("y"), strategy: Strategy(media: [.ble]))))
        #expect(device.reports.last?.wantsTokens == [.audio, .ble])
        #expect(device.token(on: .audio) == first && device.token(on: .ble) == nil)
        device.answer()
        let (audio, ble) = (device.token(on: .audio), device.token(on: .ble))
        #expect(audio != first && audio != nil && ble != nil)
        let begun = device.now
        while device.token(on: .audio) == audio, device.now < begun + .seconds(400) {
            #expect(device.token(on: .ble) == ble)
            let count = device.reports.count
            device.pass(.seconds(1))
            if device.reports.count > count { device.answer() }
        }
        #expect(device.token(on: .audio) != audio && device.token(on: .ble) != ble)
        #expect((Duration.seconds(60)...Duration.seconds(306)).contains(begun.duration(to: device.now)))
    }

    /// A token that stands for nobody is not reported again for a minute, however often it is heard.
    @Test func anInvalidTokenIsReportedOnce() throws {
        var device = EngineDevice()
        try device.execute(.subscribe(Self.one, Subscription()))
        device.answer()
        let noise = Token(bits: 99)
        device.hear(.token(noise))
        #expect(device.reports.last?.observations.map(\.token) == [noise])
        var answer = Answer()
        answer.verdicts = [HeardToken(noise, on: .audio): .invalid]
        device.take(device.state.answered(answer, now: device.now))
        var count = device.reports.count
        for _ in 0..<59 {
            device.pass(.seconds(1))
            device.hear(.token(noise))
            if device.reports.count > count { device.answer() }
            #expect(device.reports.dropFirst(count).allSatisfy { $0.observations.isEmpty })
            count = device.reports.count
        }
        device.pass(.seconds(2))
        if device.reports.count > count { device.answer() }
        device.hear(.token(noise))
        #expect(device.reports.last?.observations.map(\.token) == [noise])
    }

    /// The pauses double from half a second to a second up to half a minute; no content is lost.
    @Test func triesAreFurtherAndFurtherApart() throws {
        var device = EngineDevice()
        try device.execute(.publish(Self.one, Publication(Message("x"))))
        for n in 0..<12 {
            let longest = min(Duration.seconds(1) * (1 << n), .seconds(30))
            let count = device.reports.count
            device.fail()
            let failed = device.now
            while device.reports.count == count { device.pass(.milliseconds(100)) }
            let wait = failed.duration(to: device.now)
            #expect(wait >= longest / 2 && wait <= longest + .milliseconds(100))
            #expect(device.reports.last?.published[Self.one] != nil)
        }
    }

    // MARK: Bytes by sound

    private func bytes() throws -> AudioBytes { try AudioBytes([1, 2, 3]) }

    @Test func everySubscriptionHearsBytesThatGoOn() throws {
        var device = EngineDevice()
        try device.execute(.subscribe(Self.one, Subscription(.audioBytes)))
        device.hear(.audioBytes(try bytes()))
        try device.execute(.subscribe(Self.two, Subscription(.audioBytes)))
        device.hear(.audioBytes(try bytes()))
        #expect(try device.events[Self.one] == [.heardBytes(bytes())])
        #expect(try device.events[Self.two] == [.heardBytes(bytes())])
        device.now = device.now + .seconds(100)
        device.hear(.audioBytes(try bytes()))
        #expect(device.events[Self.one]?.count == 2)
    }

    @Test func bytesAreNotHeardAfterASubscriptionsTime() throws {
        var device = EngineDevice()
        let short = Strategy(media: [.audio], timeToLive: .seconds(10))
        try device.execute(.subscribe(Self.one, Subscription(.audioBytes, strategy: short)))
        try device.execute(.subscribe(Self.two, Subscription(.audioBytes)))
        device.now = device.now + .seconds(10)
        device.hear(.audioBytes(try bytes()))
        #expect(device.events[Self.one] == [.expired])
        #expect(try device.events[Self.two] == [.heardBytes(bytes())])
    }

    /// A device that sends bytes and listens hears itself. It reports no find, and knows that it is heard.
    @Test func ownBytesAreKnown() throws {
        var device = EngineDevice()
        try device.execute(.publish(Self.one, Publication(bytes())))
        try device.execute(.subscribe(Self.two, Subscription(.audioBytes)))
        #expect(try device.assignments[.audio]?.broadcast?.payloads == [.audioBytes(bytes())])
        for _ in 0..<10 {
            device.take(device.state.happened(.sent, on: .audio, now: device.now))
            device.hear(.audioBytes(try bytes()))
            device.now = device.now + .seconds(2)
        }
        #expect(device.state.currentStatus?.media[.audio]?.isUnheard == false)
        // The last frame is heard after the end of the publication.
        try device.execute(.unpublish(Self.one))
        device.hear(.audioBytes(try bytes()))
        #expect(device.events[Self.two] == nil)
    }

    @Test func bytesNeedNoRegistry() throws {
        var device = EngineDevice()
        try device.execute(.publish(Self.one, Publication(bytes())))
        try device.execute(.subscribe(Self.two, Subscription(.audioBytes)))
        device.pass(.seconds(60))
        #expect(device.reports.isEmpty)
    }

    // MARK: Self-check

    /// With a microphone that fails, the engine cannot report that the loudspeaker is off.
    @Test func whoCannotHearIsNotSaidToBeUnheard() throws {
        var device = EngineDevice()
        try device.execute(.publish(Self.one, Publication(Message("x"))))
        device.answer()
        device.take(
            device.state.happened(.condition(MediumCondition(scan: .failing)), on: .audio, now: device.now))
        for _ in 0..<10 { device.take(device.state.happened(.sent, on: .audio, now: device.now)) }
        #expect(device.state.currentStatus?.media[.audio]?.isUnheard == false)
        device.take(device.state.happened(.condition(.ready), on: .audio, now: device.now))
        #expect(device.state.currentStatus?.media[.audio]?.isUnheard == false)
        for _ in 0..<4 { device.take(device.state.happened(.sent, on: .audio, now: device.now)) }
        #expect(device.state.currentStatus?.media[.audio]?.isUnheard == true)
    }
}
