import Nearby
import NearbyTestSupport
import Signal
import Testing

@Suite struct RegistryRecordTests {
    /// A registry that restarts from its records knows the owners of the tokens on air, also of those that
    /// they got for later, and uses the same names for publications.
    @Test func aRestartedRegistryGoesOn() throws {
        var before = RegistryState(random: SplitMix64(seed: 1))
        before.setTokenKeys(TokenKey.test())
        let (a, b) = (before.join(now: .start), before.join(now: .start))
        var report = Report()
        report.published[OperationID(1)] = Publication(try Message("hello"))
        report.wantsTokens = [.audio]
        report.takesTokensAhead = true
        let grants = try before.report(report, from: a, now: .start).0.grants
        report = Report()
        report.subscribed[OperationID(2)] = Subscription()
        _ = try before.report(report, from: b, now: .start)
        report = Report()
        report.observations = [TokenObservation(grants[0].token, on: .audio, age: .zero)]
        let found = try before.report(report, from: b, now: .start).0.deliveries
        #expect(found.map(\.change) == [.found])

        // The registry was away from the 40th minute on for two seconds; its new clock begins at zero.
        var after = RegistryState(startUnixMillis: 2_400_000, random: SplitMix64(seed: 2))
        after.setTokenKeys(TokenKey.test())
        let now = Instant.start + .seconds(2)
        _ = after.restore(try #require(before.record(of: a)), now: now)
        let again = after.restore(try #require(before.record(of: b)), now: now)
        let present = try #require(grants.last { $0.startsIn <= .seconds(2402) })
        report.observations = [
            TokenObservation(present.token, on: .audio, age: .zero),
            TokenObservation(grants[0].token, on: .audio, age: .zero),
        ]
        let answer = try after.report(report, from: again, now: now).0
        #expect(answer.deliveries == found)
        #expect(answer.tokens(.valid) == [present.token] && answer.tokens(.invalid) == [grants[0].token])
    }

    /// After a restart a device's tokens count for as long as it may have got them in advance, and no longer
    /// unless it asks. A number that another device has already gives it none.
    @Test func noTokenComesBackForLongerThanItWasGiven() throws {
        var before = RegistryState(random: SplitMix64(seed: 1))
        before.setTokenKeys(TokenKey.test())
        let device = before.join(now: .start)
        var report = Report()
        (report.wantsTokens, report.takesTokensAhead) = ([.audio], true)
        _ = try before.report(report, from: device, now: .start)
        let record = try #require(before.record(of: device))
        #expect(record.handle != nil)
        var registry = RegistryState(random: SplitMix64(seed: 2))
        registry.setTokenKeys(TokenKey.test())
        let (first, second) = (registry.restore(record, now: .start), registry.restore(record, now: .start))
        #expect(registry.record(of: first)?.handle == record.handle)
        #expect(registry.record(of: second)?.handle != record.handle)
        #expect(registry.tokenEnd(of: first, on: .audio) == .start + .seconds(3900))
        #expect(registry.tokenEnd(of: second, on: .audio) == nil)
    }

    /// A registry that stood still heard nobody. Nearness continues as if that time had not passed, for as
    /// long as devices need to try again.
    @Test func aStallIsNobodysSilence() throws {
        var registry = RegistryState(random: SplitMix64(seed: 1))
        let (a, b) = (registry.join(now: .start), registry.join(now: .start))
        var report = Report()
        report.published[OperationID(1)] = Publication(try Message("hello"))
        report.wantsTokens = [.audio]
        let token = try registry.report(report, from: a, now: .start).0.grants[0].token
        report = Report()
        report.subscribed[OperationID(2)] = Subscription()
        report.observations = [TokenObservation(token, on: .audio, age: .zero)]
        #expect(try registry.report(report, from: b, now: .start).0.deliveries.count == 1)
        for (gap, left) in [
            (Duration.seconds(10), Duration.milliseconds(13_500)), (.seconds(400), .seconds(30)),
        ] {
            var after = registry
            let now = Instant.start + gap
            after.standStill(for: gap, now: now)
            #expect(after.advance(to: now).answers.isEmpty)
            #expect(after.record(of: a) != nil && after.record(of: b) != nil)
            #expect(after.advance(to: now + left - .milliseconds(1)).answers.isEmpty)
            #expect(after.advance(to: now + left).answers[b]?.deliveries.map(\.change) == [.lost])
        }
    }

    /// Tokens expire in the order of their times, whatever the order in which they were added.
    @Test func thousandsOfTokensExpireWhenTheyShould() throws {
        var settings = RegistrySettings()
        settings.deviceLife = .seconds(10_000)
        var registry = RegistryState(settings: settings, random: SplitMix64(seed: 3))
        let (a, b) = (registry.join(now: .start), registry.join(now: .start))
        var random = SplitMix64(seed: 4)
        var tokens: [(Token, Instant)] = []
        for n in 0..<2000 {
            let now = Instant.start + .milliseconds(n * 700)
            var report = Report()
            report.wantsTokens = [Bool.random(using: &random) ? .audio : .ble]
            let grant = try registry.report(report, from: a, now: now).0.grants[0]
            tokens.append((grant.token, now))
            report = Report()
            let (old, issued) = tokens[Int.random(in: 0..<tokens.count, using: &random)]
            report.observations = [TokenObservation(old, on: .audio, age: .zero)]
            let answer = try registry.report(report, from: b, now: now).0
            // A token that was replaced long ago or is too old is invalid. The last token that was issued for
            // its medium is valid.
            if issued + .seconds(610) <= now { #expect(answer.tokens(.invalid) == [old]) }
        }
        #expect([Medium.audio, .ble].allSatisfy { registry.tokenEnd(of: a, on: $0) != nil })
    }
}
