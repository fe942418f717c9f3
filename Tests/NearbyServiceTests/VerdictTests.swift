import Nearby
import Signal
import Testing

@testable import NearbyService

/// Tests of tokens' verdicts and of their costs.
@Suite struct VerdictTests {
    /// Tokens that are unknown, expired, on another medium, or of a device that is gone get the same answer.
    @Test func allWrongTokensGetOneAnswer() throws {
        var world = ServiceWorld()
        let (publisher, subscriber, token) = try world.pair()
        let gone = try world.token(of: publisher)
        let wrong: [(inout Report) -> Void] = [
            { $0.hear(Token(bits: 5)) }, { $0.hear(gone, on: .ble) },
        ]
        for fill in wrong {
            let reply = try world.report(subscriber, fill).reply
            #expect(Array(reply.answer.verdicts.values) == [.invalid])
            #expect(reply.mailbox!.pending.isEmpty)
        }
        world.now = world.now + .seconds(11)
        #expect(
            try world.report(subscriber) { $0.hear(token) }.reply.answer.tokens(.invalid) == [token])
    }

    /// A token that comes too late or from the future may be right. It gets no verdict, and costs nothing.
    @Test(arguments: [Duration.seconds(60), .seconds(-1)]) func lateTokensAreNotJudged(age: Duration) throws {
        var world = ServiceWorld()
        let (_, subscriber, token) = try world.pair()
        for token in [token, Token(bits: 5)] {
            let answer = try world.report(subscriber) { $0.hear(token, age: age) }.reply.answer
            #expect(Array(answer.verdicts.values) == [.notJudged])
        }
        #expect(try world.report(subscriber) { $0.hear(token) }.reply.answer.tokens(.valid) == [token])
        #expect(world.state.counts.invalidTokens == 0)
    }

    /// A token that is named twice in one report is judged by the better time.
    @Test(arguments: [[Duration.zero, .seconds(60)], [.seconds(60), .zero]])
    func theBetterTimeCounts(ages: [Duration]) throws {
        var world = ServiceWorld()
        let (_, subscriber, token) = try world.pair()
        let answer = try world.report(subscriber) { report in
            for age in ages { report.hear(token, age: age) }
        }.reply.answer
        #expect(answer.tokens(.valid) == [token])
    }

    /// A device that asks for tokens all the time gets them only now and then; the rest of its reports is
    /// accepted.
    @Test func wishesHaveARate() throws {
        var settings = ServiceSettings()
        settings.grantsPerDevice = .init(perSecond: 0.2, atOnce: 20)
        var world = ServiceWorld(settings)
        let secret = try world.join()
        var granted = 0
        for second in 0..<600 {
            world.now = .start + .seconds(second)
            granted += try world.report(secret) { $0.wantsTokens = [.audio] }.reply.answer.grants.count
        }
        #expect((120...141).contains(granted))
    }

    /// A device that guesses does not learn whether its next guess was right. Everything else in its reports
    /// is accepted.
    @Test func strayTokensCostTheirObservationsAlone() throws {
        var world = ServiceWorld(.scarce)
        let (_, subscriber, _) = try world.pair()
        try world.exhaust(subscriber)
        let reply = try world.report(subscriber) { report in
            for n in 0..<2000 { report.hear(Token(bits: UInt64(n))) }
            report.published[OperationID(2)] = Publication(try Message("mine", type: "t"))
            report.wantsTokens = [.audio, .ble]
        }.reply
        #expect(reply.answer.verdicts.count == 2000)
        #expect(reply.answer.verdicts.values.allSatisfy { $0 == .notJudged })
        #expect(reply.answer.grants.count == 2)
        #expect(world.state.stored(subscriber)?.record.published[OperationID(2)] != nil)
    }

    /// A newcomer may miss some tokens; after an hour it may miss more.
    @Test func allowancesGrowWithAge() throws {
        let limits = GuessLimits(devices: 100, expectedGuessesPerDay: 1e-6)
        #expect(limits.device(age: .zero).atOnce == 6000)
        #expect(limits.device(age: .seconds(1800)).atOnce == 13_000)
        #expect(limits.device(age: .seconds(86_400)).atOnce == 20_000)
    }

    /// A newcomer in a flood names 4096 strays and then a true token. The true token is judged in the second
    /// report, even if the first report comes at the same moment.
    @Test func aTokenBehind4096StraysIsJudgedWithinTwoReports() throws {
        var world = ServiceWorld()
        let (_, subscriber, token) = try world.pair()
        var random = SplitMix64(seed: 6)
        var heard = (0..<4096).map { _ in Token(bits: random.next()) } + [token]
        var answers: [Answer] = []
        while !heard.isEmpty {
            let named = heard.prefix(2560)
            heard.removeFirst(named.count)
            answers.append(
                try world.report(subscriber) { report in
                    for token in named { report.hear(token) }
                }.reply.answer)
        }
        #expect(answers.count == 2 && answers[1].tokens(.valid) == [token])
    }

    /// The attack consists of 340 devices with 61 random tokens each, then 3 more a second, from one network.
    /// A device that has heard a stray goes on as before.
    @Test func guessersDoNotStopAnybodyElse() throws {
        var world = ServiceWorld()
        var (publisher, subscriber, token) = try world.pair()
        var random = SplitMix64(seed: 4)
        try world.report(subscriber) { $0.hear(Token(bits: 1)) }
        for second in 0..<120 {
            world.now = .start + .seconds(second)
            for _ in 0..<(second == 0 ? 340 : 3) {
                let guesser = try world.join(from: .attacker(1))
                try world.report(guesser, at: .attacker(1)) { report in
                    for _ in 0..<61 { report.hear(Token(bits: random.next())) }
                }
            }
            if second % 10 == 0 { token = try world.token(of: publisher) }
            let reply = try world.report(
                subscriber, mailbox: world.state.member(of: subscriber)!.mailbox.name
            ) { report in
                report.hear(Token(bits: random.next()))
                report.hear(token)
            }.reply
            #expect(reply.answer.tokens(.valid) == [token])
        }
    }
}
