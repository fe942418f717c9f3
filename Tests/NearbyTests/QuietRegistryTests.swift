import Nearby
import NearbyTestSupport
import Signal
import Testing

/// Devices that name all they hear, and whose streams show that they are there.
@Suite struct QuietRegistryTests {
    /// One device publishes and broadcasts; another subscribes and names all that it hears.
    private struct Couple {
        var registry = RegistryState(random: SplitMix64(seed: 1))
        var now = Instant.start
        let speaker: RegistryState.DeviceID
        let listener: RegistryState.DeviceID
        /// The tokens that the speaker got unasked.
        var grants: [[Answer.Grant]] = []
        /// The changes that the listener was notified of.
        var changes: [Answer.Change] = []

        init() throws {
            registry.setTokenKeys(TokenKey.test())
            speaker = registry.join(now: now)
            listener = registry.join(now: now)
            var report = Report()
            report.published[OperationID(1)] = Publication(try Message("hello"))
            try self.report(report, from: speaker)
            report = Report()
            report.subscribed[OperationID(2)] = Subscription()
            try self.report(report, from: listener)
            _ = registry.beginStream(of: speaker, isDirect: true, now: now)
        }

        @discardableResult
        mutating func report(_ report: Report, from id: RegistryState.DeviceID) throws -> Answer {
            let (answer, events) = try registry.report(report, from: id, now: now)
            note(events)
            if id == listener { changes += answer.deliveries.map(\.change) }
            return answer
        }

        mutating func newToken() throws -> Token {
            var report = Report()
            report.wantsTokens = [.audio]
            let token = try #require(try self.report(report, from: speaker).grants.first).token
            report = Report()
            report.playing = [PlayingToken(token, on: .audio, period: .seconds(2))]
            try self.report(report, from: speaker)
            return token
        }

        /// Reports that the listener hears these tokens, each with its age in seconds, and none other.
        @discardableResult
        mutating func hear(_ tokens: [(Token, age: Double)]) throws -> Answer {
            var report = Report()
            report.observations = tokens.map {
                TokenObservation($0.0, on: .audio, age: .milliseconds(Int($0.age * 1000)))
            }
            report.observationsAreComplete = true
            return try self.report(report, from: listener)
        }

        mutating func pass(_ seconds: Double) {
            let end = now + .milliseconds(Int(seconds * 1000))
            while let next = registry.nextDeadline, next <= end {
                now = max(now, next)
                note(registry.advance(to: now))
            }
            now = end
        }

        private mutating func note(_ events: RegistryState.RegistryEvents) {
            changes += events[listener]?.deliveries.map(\.change) ?? []
            if let more = events[speaker]?.grants, !more.isEmpty { grants.append(more) }
        }
    }

    /// With a stream, one report says that a device is heard, and another one that it is not.
    @Test func hearsUntilItSaysOtherwise() throws {
        var couple = try Couple()
        let token = try couple.newToken()
        let first = try couple.hear([(token, 0.5)])
        #expect(first.keepAlive == .seconds(5) && first.patience.values.first == .milliseconds(13_500))
        let begun = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
        let keepAlive = try #require(begun)
        #expect(keepAlive > .seconds(10 * 3600) && keepAlive <= .seconds(12 * 3600))
        couple.pass(500)
        #expect(couple.changes == [.found])
        let last = try couple.hear([])
        #expect(try #require(last.keepAlive) > .seconds(10 * 3600))
        #expect(couple.changes == [.found, .lost])
    }

    /// Without a stream, or with one that a proxy holds, reports must show that the device is there.
    @Test(arguments: [nil, false]) func aSilentDeviceIsLost(isDirect: Bool?) throws {
        var couple = try Couple()
        let token = try couple.newToken()
        if let isDirect {
            let begun = couple.registry.beginStream(of: couple.listener, isDirect: isDirect, now: couple.now)
            #expect(begun == nil)
        }
        var answer = try couple.hear([])
        #expect(answer.keepAlive == .seconds(60))
        for _ in 0..<20 {
            answer = try couple.hear([(token, 12)])
            #expect(answer.keepAlive == .seconds(5))
            couple.pass(5)
        }
        couple.pass(8.4)
        #expect(couple.changes == [.found])
        couple.pass(0.2)
        #expect(couple.changes == [.found, .lost])
    }

    /// A stream that ends leaves time for another one; a device that was given up leaves none.
    @Test(arguments: [false, true]) func theEndOfAStream(isDead: Bool) throws {
        var couple = try Couple()
        try couple.hear([(try couple.newToken(), 0)])
        _ = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
        couple.pass(100)
        couple.registry.endStream(of: couple.listener, isDead: isDead, now: couple.now)
        couple.pass(isDead ? 0 : 9.9)
        #expect(couple.changes == (isDead ? [.found, .lost] : [.found]))
        if !isDead {
            _ = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
            couple.pass(100)
            #expect(couple.changes == [.found])
            couple.registry.endStream(of: couple.listener, isDead: false, now: couple.now)
            couple.pass(10.1)
        }
        #expect(couple.changes == [.found, .lost])
    }

    /// A listener that has not yet heard the next token still hears the device, for as long as it may hear
    /// the last one. It cannot stay near with an old token for longer.
    @Test func aReplacedTokenCountsForAWhile() throws {
        var couple = try Couple()
        let old = try couple.newToken()
        try couple.hear([(old, 0)])
        _ = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
        couple.pass(60)
        let new = try couple.newToken()
        couple.pass(12)
        try couple.hear([(old, 12.5)])
        #expect(couple.changes == [.found])
        var other = couple
        let answer = try other.hear([(old, 12.5), (new, 0)])
        #expect(answer.patience[HeardToken(old, on: .audio)] == .zero)
        #expect(answer.patience[HeardToken(new, on: .audio)] == .milliseconds(13_500))
        try other.hear([(new, 1)])
        other.pass(300)
        #expect(other.changes == [.found])
        for _ in 0..<30 {
            couple.pass(1)
            try couple.hear([(old, 1)])
        }
        #expect(couple.changes == [.found, .lost])
    }

    /// Asks for tokens ahead, and reports that the first one of each medium is sent.
    private func playAhead(_ couple: inout Couple, on media: Set<Medium>) throws -> [Answer.Grant] {
        var report = Report()
        report.takesTokensAhead = true
        report.wantsTokens = media
        let grants = try couple.report(report, from: couple.speaker).grants
        report.wantsTokens = []
        report.playing = media.sorted().map { medium in
            PlayingToken(grants.first { $0.medium == medium }!.token, on: medium, period: .seconds(2))
        }
        #expect(try couple.report(report, from: couple.speaker).grants.isEmpty)
        return grants
    }

    /// A device that takes tokens ahead gets those of an hour, one after the other. Each is valid in its time
    /// alone, and ten seconds longer.
    @Test func tokensOfAnHourComeAtOnce() throws {
        var couple = try Couple()
        _ = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
        couple.pass(1000)
        let grants = try playAhead(&couple, on: [.audio, .ble])
        let audio = grants.filter { $0.medium == .audio }
        let ble = grants.filter { $0.medium == .ble }
        #expect((17...24).contains(audio.count) && audio.last!.timeToLive >= .seconds(3600))
        #expect(audio[0].startsIn == .zero && audio.last!.timeToLive <= .seconds(3900))
        #expect(audio.map(\.startsIn) == ble.map(\.startsIn))
        #expect(Set(grants.map(\.token)).count == grants.count)
        for (one, next) in zip(audio, audio.dropFirst()) { #expect(one.timeToLive == next.startsIn) }
        let start = couple.now
        for one in audio {
            let heard = HeardToken(one.token, on: .audio)
            for (time, verdict) in [
                (one.startsIn - .seconds(6), TokenVerdict.invalid), (one.startsIn, .valid),
                (one.timeToLive + .seconds(9), .valid), (one.timeToLive + .seconds(11), .invalid),
            ] where time > .zero {
                // Each trial is the first of a registry that has seen none of the others.
                var trial = couple
                trial.now = start + time
                trial.changes = []
                #expect(try trial.hear([(one.token, 0)]).verdicts[heard] == verdict)
                #expect(trial.changes == (verdict == .valid ? [.found] : []))
            }
        }
        // On another medium the token is none.
        var report = Report()
        report.observations = [TokenObservation(audio[0].token, on: .ble, age: .zero)]
        #expect(try couple.report(report, from: couple.listener).tokens(.invalid) == [audio[0].token])
    }

    /// A device changes its tokens by itself, and stays near a listener that reports the next one.
    @Test func nearnessOutlastsTheTokens() throws {
        var couple = try Couple()
        let grants = try playAhead(&couple, on: [.audio])
        _ = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
        let start = couple.now
        for one in grants {
            couple.pass((start + one.startsIn).offset.inSeconds + 8 - couple.now.offset.inSeconds)
            try couple.hear([(one.token, 0)])
        }
        #expect(couple.changes == [.found])
        // The last token is over, and no other was heard.
        couple.pass((start + grants.last!.timeToLive).offset.inSeconds + 24 - couple.now.offset.inSeconds)
        #expect(couple.changes == [.found, .lost])
    }

    /// While its stream is open, a device gets the next tokens well before it must ask. If they are lost, its
    /// report brings them.
    @Test func tokensComeUnasked() throws {
        var couple = try Couple()
        let first = try playAhead(&couple, on: [.audio, .ble])
        let end = couple.now + first.map(\.timeToLive).max()!
        couple.pass((end - .seconds(1500)).offset.inSeconds - couple.now.offset.inSeconds)
        #expect(couple.grants.isEmpty)
        couple.pass(600)
        #expect(couple.grants.count == 1)
        let next = couple.grants[0]
        #expect(Set(next.map(\.medium)) == [.audio, .ble])
        #expect(Set(next.map(\.token)).intersection(first.map(\.token)).count >= 2 * 3)
        couple.pass(3600 * 9)
        #expect((13...17).contains(couple.grants.count), "each 35 to 50 minutes")
        // The device says that it still sends the very first token.
        var report = Report()
        report.takesTokensAhead = true
        report.playing = [PlayingToken(first[0].token, on: .audio, period: .seconds(2))]
        let again = try couple.report(report, from: couple.speaker)
        #expect(Set(again.grants.map(\.medium)) == [.audio] && again.grants.count > 16)
    }

    /// A device whose stream has ended keeps its tokens until it asks: nothing could bring it others.
    @Test func noTokenComesAfterTheStream() throws {
        var couple = try Couple()
        let grants = try playAhead(&couple, on: [.audio])
        _ = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
        couple.registry.endStream(of: couple.speaker, isDead: false, now: couple.now)
        let start = couple.now
        var report = Report()
        report.takesTokensAhead = true
        for _ in 0..<60 {
            couple.pass(60)
            try couple.report(report, from: couple.speaker)
            let token = grants.last { start + $0.startsIn <= couple.now }!.token
            let answer = try couple.hear([(token, 0)])
            #expect(answer.verdicts[HeardToken(token, on: .audio)] == .valid)
        }
        #expect(couple.grants.isEmpty)
    }

    /// Without keys, and for a device that does not take tokens ahead, each token comes alone.
    @Test(arguments: [false, true]) func tokensComeAloneOtherwise(hasKeys: Bool) throws {
        var couple = try Couple()
        if !hasKeys { couple.registry.setTokenKeys([]) }
        var report = Report()
        report.takesTokensAhead = !hasKeys
        report.wantsTokens = [.audio]
        let grants = try couple.report(report, from: couple.speaker).grants
        #expect(grants.count == 1 && grants[0].timeToLive == .seconds(600))
        #expect(try couple.hear([(grants[0].token, 0)]).tokens(.valid) == [grants[0].token])
    }

    /// A device with a stream stays, however long it does not report; without one it leaves.
    @Test func aStreamKeepsADevice() throws {
        var couple = try Couple()
        _ = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
        couple.pass(7200)
        try couple.hear([])
        couple.registry.endStream(of: couple.listener, isDead: false, now: couple.now)
        couple.pass(301)
        #expect(throws: RegistryError.unknownDevice) { _ = try couple.hear([]) }
    }
}
