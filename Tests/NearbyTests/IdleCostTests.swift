import Nearby
import NearbyTestSupport
import Signal
import Testing

@Suite struct IdleCostTests {
    /// A device has 500 publications and 500 subscriptions, broadcasts, scans, hears five others all the time
    /// and finds nothing new. Ten minutes of this take less than 1 % of their duration in processor time, the
    /// registry included. The device reports what it broadcasts and hears, and then nothing more: it has its
    /// tokens in advance.
    @Test func aThousandLiveOperationsCostLessThanAHundredthOfACore() throws {
        var engine = EngineState(permission: .granted, random: SplitMix64(seed: 1))
        var registry = RegistryState(random: SplitMix64(seed: 2))
        registry.setTokenKeys(TokenKey.test())
        let device = registry.join(now: .start)
        var now = Instant.start
        var (reports, late) = (0, 0)
        var sent: Set<Token> = []
        _ = registry.beginStream(of: device, isDirect: true, now: now)
        func perform(_ actions: [EngineAction]) throws {
            for case .assign(let assignment, .audio) in actions {
                if let token = assignment.broadcast?.token { sent.insert(token) }
            }
            for case .report(let report) in actions {
                reports += 1
                if now > .start + .seconds(120) { late += 1 }
                let (answer, _) = try registry.report(report, from: device, now: now)
                try perform(engine.answered(answer, now: now))
            }
        }
        for medium in [Medium.audio, .ble] {
            try perform(engine.happened(.condition(.ready), on: medium, now: now))
        }
        let batch = try (1...500).flatMap { n -> [Operation] in
            [
                .publish(OperationID(UInt64(n)), Publication(try Message("message \(n)", type: "type \(n)"))),
                .subscribe(OperationID(UInt64(500 + n)), Subscription(.type("type \(n)"))),
            ]
        }
        try perform(engine.execute(batch, now: now))
        let others = (0..<5).map { _ in registry.join(now: now) }
        for other in others { _ = registry.beginStream(of: other, isDirect: true, now: now) }
        let tokens = try others.map { other in
            var report = Report()
            report.wantsTokens = [.audio]
            return try registry.report(report, from: other, now: now).0.grants[0].token
        }
        let before = processorSeconds()
        var events = 0
        for tick in 1...4445 {
            let next = Instant.start + .milliseconds(135 * tick)
            while let deadline = [engine.nextDeadline, registry.nextDeadline].compactMap({ $0 }).min(),
                deadline <= next
            {
                now = max(now, deadline)
                if let events = registry.advance(to: now)[device] {
                    try perform(engine.notified(events, now: now))
                }
                try perform(engine.advance(to: now))
            }
            now = next
            if tick % 2 == 0 {
                let sighting = Sighting(.token(tokens[tick / 2 % 5]), on: .audio)
                try perform(engine.happened(.sighted(sighting), on: .audio, now: now))
                events += 1
            }
        }
        let spent = processorSeconds() - before
        #expect((3...11).contains(sent.count) && events > 2000)
        #expect(late == 0 && reports < 20, "\(reports) reports, \(late) of them late")
        print("idle: \(spent / 600) of a core")
        #expect(spent < 6, "\(spent) s of 600 s")
    }
}
