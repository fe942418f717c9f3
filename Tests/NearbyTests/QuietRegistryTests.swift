import Nearby
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
            let (answer, news) = try registry.report(report, from: id, now: now)
            note(news)
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

        private mutating func note(_ news: RegistryState.RegistryEvents) {
            changes += news[listener]?.deliveries.map(\.change) ?? []
            if let more = news[speaker]?.grants, !more.isEmpty { grants.append(more) }
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

    /// While its stream is open, a device gets new tokens unasked. If one is lost, its next report says which
    /// token it sends, and brings another.
    @Test func tokensComeUnasked() throws {
        var couple = try Couple()
        var report = Report()
        report.wantsTokens = [.audio, .ble]
        report.observationsAreComplete = true
        let first = try couple.report(report, from: couple.speaker)
        let sent = try #require(first.grants.first { $0.medium == .audio })
        report.wantsTokens = []
        report.playing = first.grants.map { PlayingToken($0.token, on: $0.medium, period: .seconds(2)) }
        try couple.report(report, from: couple.speaker)
        #expect(couple.registry.nextDeadline.map { $0 <= couple.now + .seconds(300) } == true)
        try couple.hear([(sent.token, 0)])
        _ = couple.registry.beginStream(of: couple.listener, isDirect: true, now: couple.now)
        couple.pass(301)
        let grants = couple.grants
        #expect((1...5).contains(grants.count) && grants.allSatisfy { $0.count == 2 })
        #expect(grants.joined().allSatisfy { $0.renewedWithin == .seconds(300) })
        // The former token ends ten seconds after the next one was sent, and is no evidence 13.5 s later.
        couple.pass(24)
        let heard = HeardToken(sent.token, on: .audio)
        var other = couple
        let answer = try other.hear([(sent.token, 0)])
        #expect(answer.verdicts[heard] == .invalid)
        // The device says that it still sends the first one.
        let again = try couple.report(report, from: couple.speaker)
        #expect(Set(again.grants.map(\.medium)) == [.audio, .ble])
    }

    /// A device whose stream has ended keeps its tokens until it asks: nothing could bring it others.
    @Test func noTokenComesAfterTheStream() throws {
        var couple = try Couple()
        var report = Report()
        report.wantsTokens = [.audio]
        report.observationsAreComplete = true
        let sent = try #require(try couple.report(report, from: couple.speaker).grants.first).token
        report.wantsTokens = []
        report.playing = [PlayingToken(sent, on: .audio, period: .seconds(2))]
        try couple.report(report, from: couple.speaker)
        couple.registry.endStream(of: couple.speaker, isDead: false, now: couple.now)
        couple.pass(299)
        #expect(couple.grants.isEmpty)
        let answer = try couple.hear([(sent, 0)])
        #expect(answer.verdicts[HeardToken(sent, on: .audio)] == .valid)
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
