import Nearby
import Signal
import TestSupport
import Testing

@testable import NearbyService

/// Tests of the success of guessing tokens in a day.
@Suite struct GuessingTests {
    private static let day = 86_400.0

    /// The figure is guesses a day × live tokens ∕ 2⁶⁴. All devices of the project guess as much as their
    /// limits allow: the allowance that comes back, the allowance at the start, the one guess of each device
    /// that has been clean, and the report that empties the budget.
    @Test(arguments: [10_000, 100_000, 1_000_000, 10_000_000])
    func aDayAtAllLimitsMeetsNothing(devices: Int) {
        let limits = GuessLimits(
            devices: devices, expectedGuessesPerDay: ServiceSettings().expectedGuessesPerDay)
        let guesses =
            limits.project.perSecond * Self.day + limits.project.atOnce
            + Double(devices) * Self.day / limits.cleanAfter.inSeconds + 2560
        let hits = guesses * GuessLimits.liveTokensPerDevice * Double(devices) / 0x1p64
        print("\(devices) devices: \(guesses) guesses a day, \(hits) hits expected")
        #expect(hits <= 1e-6)
    }

    /// This measures the same figure in an hour, or ten minutes, of a project with a hundredth of a percent
    /// of its limits. Attackers register as fast as they may, and each guesses as much as it may and goes on.
    @Test func anHourOfAttackIsWithinTheBounds() throws {
        var settings = ServiceSettings()
        settings.registrationsPerProject = .init(perSecond: 0.5, atOnce: 20)
        settings.expectedGuessesPerDay = 2e-10
        let limits = GuessLimits(devices: 0, expectedGuessesPerDay: settings.expectedGuessesPerDay)
        var world = ServiceWorld(settings)
        var (attackers, guesses) = ([SecretHash](), 0)
        var random = SplitMix64(seed: 3)
        let seconds = Trials.count(600, many: 3600)
        for second in 0..<seconds {
            world.now = .start + .seconds(second)
            while let secret = try? world.join(from: .attacker(attackers.count)) { attackers.append(secret) }
            // As an attacker would, it gives up devices that have guessed for long and uses new ones.
            for (n, attacker) in attackers.enumerated().suffix(8) {
                let reply = try? world.report(attacker, at: .attacker(n)) { report in
                    for _ in 0..<50 { report.hear(Token(bits: random.next())) }
                }.reply
                guesses += reply?.answer.tokens(.invalid).count ?? 0
            }
        }
        let bound = Double(seconds) * limits.project.perSecond + limits.project.atOnce + 50
        print("guesses in \(seconds) s: \(guesses), bound \(bound)")
        #expect(Double(guesses) <= bound)
        #expect(Double(guesses) > 0.5 * bound, "the attack uses what it has")
    }

    /// A correct guess brings nobody near once the guesser has used up its budget, and the answer does not
    /// reveal it.
    @Test func aRightGuessOverTheBudgetIsWorthNothing() throws {
        var world = ServiceWorld(.scarce)
        let (_, subscriber, token) = try world.pair()
        try world.exhaust(subscriber)
        let reply = try world.report(subscriber) { $0.hear(token) }.reply
        #expect(reply.answer.verdicts.values.allSatisfy { $0 == .notJudged })
        #expect(reply.mailbox!.pending.isEmpty)
    }

    /// A device that really hears another one finds it by its next token, whatever the device owes, and stays
    /// near it.
    @Test func whoHearsTwoTokensFindsInAnyCase() throws {
        var world = ServiceWorld(.scarce)
        let (publisher, subscriber, first) = try world.pair()
        try world.exhaust(subscriber)
        try world.report(subscriber) { $0.hear(first) }
        let second = try world.token(of: publisher)
        let reply = try world.report(subscriber) { $0.hear(second) }.reply
        #expect(reply.answer.tokens(.valid) == [second])
        #expect(reply.mailbox!.pending.map(\.change) == [.found])
        let third = try world.token(of: publisher)
        #expect(
            try world.report(subscriber, mailbox: reply.mailbox!.name) { $0.hear(third) }
                .reply.answer.tokens(.valid) == [third])
    }

    /// Tokens on both media at once are two tokens too.
    @Test func twoMediaConfirmEachOther() throws {
        var world = ServiceWorld(.scarce)
        let (publisher, subscriber, audio) = try world.pair()
        let ble = try world.report(publisher) { $0.wantsTokens = [.ble] }.reply.answer.grants[0].token
        try world.exhaust(subscriber)
        let reply = try world.report(subscriber) { report in
            report.hear(audio)
            report.hear(ble, on: .ble)
        }.reply
        #expect(reply.mailbox!.pending.map(\.change) == [.found])
    }

    /// Notes about devices that are gone are removed.
    @Test func unconfirmedTokensAreForgotten() throws {
        var world = ServiceWorld(.scarce)
        let (publisher, subscriber, first) = try world.pair()
        try world.exhaust(subscriber)
        try world.report(subscriber) { $0.hear(first) }
        // A quarter of an hour later it is as if the token had not been heard.
        for _ in 0..<10 {
            world.now = world.now + .seconds(100)
            for one in [publisher, subscriber] { try world.report(one) }
            _ = world.state.advance(to: world.now)
        }
        try world.exhaust(subscriber)
        let second = try world.token(of: publisher)
        #expect(
            try world.report(subscriber) { $0.hear(second) }.reply.answer.tokens(.valid).isEmpty)
    }
}

extension ClientNetwork {
    static func attacker(_ number: Int) -> ClientNetwork {
        ClientNetwork("10.\(number / 250 % 250).\(number % 250).1")
    }
}

extension ServiceSettings {
    /// The settings of a project in which only a hundred misses a day are allowed.
    static var scarce: ServiceSettings {
        var settings = ServiceSettings()
        settings.expectedGuessesPerDay = 1000 * 25_000 / 0x1p64
        return settings
    }
}

extension ServiceWorld {
    /// Reports tokens that stand for nobody until no token is judged any more.
    mutating func exhaust(_ secret: SecretHash) throws {
        var random = SplitMix64(seed: 11)
        var verdict = TokenVerdict.invalid
        while verdict == .invalid {
            let report = try report(secret, mailbox: state.member(of: secret)!.mailbox.name) { report in
                for _ in 0..<50 { report.hear(Token(bits: random.next())) }
            }
            verdict = report.reply.answer.verdicts.values.first!
        }
    }
}
