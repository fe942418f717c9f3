import Nearby
import Signal
import Testing

@testable import NearbyService

/// How far guessing tokens gets in a day.
@Suite struct GuessingTests {
    /// The figure: 86 400 s × guesses a second × live tokens ∕ 2⁶⁴, with a million live ones.
    private static func expectedHits(guessesPerDay: Double) -> Double {
        guessesPerDay * 1e6 / 0x1p64
    }

    /// What the bounds allow: the project's budget, what it has at once, one free guess of each new device, and one an hour of
    /// each that is there.
    @Test func aDayAtTheRateLimitMeetsNothing() {
        let settings = ServiceSettings()
        let day = 86_400.0
        let guesses =
            settings.invalidPerProject.perSecond * day + settings.invalidPerProject.atOnce
            + (settings.registrationsPerProject.perSecond * day + settings.registrationsPerProject.atOnce)
            + Double(settings.devicesPerProject) * day / settings.cleanAfter.inSeconds
        print("guesses a day: \(guesses), expected hits: \(Self.expectedHits(guessesPerDay: guesses))")
        #expect(Self.expectedHits(guessesPerDay: guesses) < 1e-6)
    }

    /// The same, measured: an hour of a project in which attackers register as fast as they may, each guesses as much as it may,
    /// and all go on. Budgets fill in seconds, so an hour stands for a day.
    @Test func anHourOfAttackIsWithinTheBounds() throws {
        var settings = ServiceSettings()
        settings.registrationsPerProject = .init(perSecond: 0.5, atOnce: 20)
        settings.invalidPerProject = .init(perSecond: 1.4, atOnce: 20)
        settings.invalidPerDevice = .init(perSecond: 0.2, atOnce: 6)
        var world = ServiceWorld(settings)
        var (attackers, guesses) = ([SecretHash](), 0)
        var random = SplitMix64(seed: 3)
        for second in 0..<3600 {
            world.now = .start + .seconds(second)
            while let secret = try? world.join() { attackers.append(secret) }
            // Those that have guessed for long are given up for new ones, as an attacker would.
            attackers = attackers.suffix(40)
            for attacker in attackers {
                let reply = try? world.report(attacker) { report in
                    for _ in 0..<50 { report.hear(Token(bits: random.next())) }
                }.reply
                guesses += reply?.answer.invalid.count ?? 0
            }
        }
        let bound = 3600 * (1.4 + 0.5) + 40
        print("guesses in an hour: \(guesses), bound \(bound)")
        #expect(Double(guesses) <= bound)
        #expect(Double(guesses) > 0.5 * bound, "the attack uses what it has")
    }
}
