import Nearby
import Signal
import Testing

@testable import Nearby

/// Tests of an engine in a flood of tokens, beacons and bytes that strangers send. It still reports those
/// that are really there, and reports no more than it may.
@Suite struct FloodTests {

    /// A device whose media all work, with answers made by hand.
    private struct Device {
        var state = EngineState(permission: .granted, random: SplitMix64(seed: 1))
        var now = Instant.start
        private(set) var reports: [Report] = []
        private(set) var events: [SubscriptionEvent] = []
        private(set) var assignments: [Medium: MediumAssignment] = [:]

        init(_ subscription: Subscription = Subscription()) throws {
            for medium in [Medium.audio, .ble] {
                take(state.happened(.condition(.ready), on: medium, now: now))
            }
            take(try state.execute([.subscribe(OperationID(1), subscription)], now: now))
        }

        mutating func take(_ actions: [EngineAction]) {
            for action in actions {
                switch action {
                case .report(let report): reports.append(report)
                case .deliver(let event, _): events.append(event)
                case .assign(let assignment, let medium): assignments[medium] = assignment

                default: break
                }
            }
        }

        mutating func hear(_ payload: Sighting.Payload, on medium: Medium = .audio, isLoud: Bool = false) {
            let signal = Sighting.Signal(snrDecibels: isLoud ? 40 : 0)
            take(
                state.happened(
                    .sighted(Sighting(payload, on: medium, signal: signal)), on: medium, now: now))
        }

        /// Answers for the registry, which judges the tokens that the last report named.
        mutating func answer(_ judge: (TokenObservation) -> TokenVerdict? = { _ in .invalid }) {
            var answer = Answer()
            for one in reports.last?.observations ?? [] { answer.verdicts[one.heard] = judge(one) }
            for medium in reports.last?.wantsTokens ?? [] {
                answer.grants.append(.init(Token(bits: 77), on: medium, timeToLive: .seconds(600)))
            }
            take(state.answered(answer, now: now))
        }

        /// Waits until the next report is on its way, at most for the given time.
        mutating func waitForReport(_ limit: Duration = .seconds(1)) {
            let (count, end) = (reports.count, now + limit)
            while reports.count == count, let next = state.nextDeadline, next <= end {
                now = next
                take(state.advance(to: now))
            }
        }
    }

    /// 4096 stray tokens that are all louder, and newer or older, cannot keep a token out of two successive
    /// reports.
    @Test(arguments: [0, 2000, 4096]) func twoReportsNameThemAll(place: Int) throws {
        var device = try Device()
        var random = SplitMix64(seed: 2)
        let token = Token(bits: .max)
        for n in 0...4096 {
            // This happens while the first report is on its way.
            if n == place {
                device.hear(.token(token))
            } else {
                device.hear(.token(Token(bits: random.next() >> 1)), isLoud: true)
            }
        }
        device.answer()
        var named: [Int] = []
        for n in 1...2 {
            device.waitForReport()
            if device.reports.last!.observations.contains(where: { $0.token == token }) { named.append(n) }
            #expect(device.reports.last!.observations.count <= 2560)
            device.answer()
        }
        #expect(named.count == 1)
    }

    /// A token that is heard again is reported before all those that were heard once.
    @Test func whoIsHeardAgainIsFirst() throws {
        var device = try Device()
        let token = Token(bits: .max)
        device.hear(.token(token))
        for n in 0..<6000 {
            device.hear(.token(Token(bits: UInt64(n))), isLoud: true)
            if n % 1000 == 0 { device.hear(.token(token)) }
        }
        device.answer()
        device.waitForReport()
        #expect(device.reports.last?.observations.first?.token == token)
    }

    /// A flood on one medium takes nothing from the other medium. Neither does a crowd of real devices.
    @Test func everyMediumHasItsShare() throws {
        var device = try Device()
        var random = SplitMix64(seed: 3)
        for _ in 0..<3 {
            for _ in 0..<2000 { device.hear(.token(Token(bits: random.next())), on: .ble) }
            device.answer { _ in .valid }
            device.waitForReport()
        }
        device.answer { _ in .valid }
        for _ in 0..<20_000 { device.hear(.token(Token(bits: random.next())), on: .ble, isLoud: true) }
        let token = Token(bits: 5)
        device.hear(.token(token), on: .audio)
        device.waitForReport()
        device.answer()
        device.waitForReport()
        #expect(
            device.reports.suffix(2).contains { $0.observations.contains { $0.token == token } })
    }

    /// With a thousand new tokens a second for a minute, the engine sends four reports a second as soon as
    /// the immediate ones are used up.
    @Test func reportsArePaced() throws {
        var device = try Device()
        var random = SplitMix64(seed: 4)
        let count = device.reports.count
        for _ in 0..<60_000 {
            device.hear(.token(Token(bits: random.next())), on: .ble)
            device.now = device.now + .milliseconds(1)
            let before = device.reports.count
            device.take(device.state.advance(to: device.now))
            if device.reports.count > before || device.now == .start + .milliseconds(1) { device.answer() }
        }
        #expect(device.reports.count - count <= 32 + 4 * 60 + 2)
    }

    /// A token that somebody replays on the other medium is invalid only there. No verdict "invalid" holds
    /// for longer than a minute.
    @Test func verdictsAreOfOneMedium() throws {
        var device = try Device()
        device.answer()
        let token = Token(bits: 9)
        device.hear(.token(token), on: .ble)
        device.answer()
        device.hear(.token(token), on: .audio)
        #expect(device.reports.last?.observations.map(\.medium) == [.audio])
        device.answer { _ in .valid }
        for _ in 0..<61 {
            device.now = device.now + .seconds(1)
            device.take(device.state.advance(to: device.now))
            device.answer()
        }
        device.hear(.token(token), on: .ble)
        #expect(device.reports.last?.observations.map(\.medium) == [.ble])
    }

    /// A token without a verdict is reported again with each heartbeat for as long as it counts as heard.
    @Test func whatIsNotJudgedIsNamedAgain() throws {
        var device = try Device()
        device.answer()
        let token = Token(bits: 9)
        device.hear(.token(token))
        device.answer { _ in .notJudged }
        for isHeard in [true, true, false] {
            device.waitForReport(.seconds(6))
            #expect(device.reports.last?.observations.map(\.token) == (isHeard ? [token] : []))
            device.answer { _ in .notJudged }
        }
        device.hear(.token(token))
        device.waitForReport(.seconds(6))
        #expect(device.reports.last?.observations.map(\.token) == [token])
    }

    /// The next report names the tokens that the registry left out.
    @Test func whatWasLeftOutIsNamedAgain() throws {
        var device = try Device()
        for n in 0..<10 { device.hear(.token(Token(bits: UInt64(n)))) }
        device.answer()
        device.waitForReport()
        let first = device.reports.last!.observations
        #expect(first.count == 10)
        device.answer { one in first.prefix(4).contains(one) ? .invalid : nil }
        device.waitForReport()
        #expect(Set(device.reports.last!.observations.map(\.token)) == Set(first.dropFirst(4).map(\.token)))
    }

    /// If there are more ends than one report may contain, several reports contain them.
    @Test func manyEndsAreSaidInSeveralReports() throws {
        var device = try Device()
        device.answer()
        let ids = (10..<510).map { OperationID($0) }
        for id in ids {
            device.take(
                try device.state.execute([.publish(id, Publication(Message("x")))], now: device.now))
        }
        for _ in 0..<4 {
            device.answer()
            device.waitForReport()
        }
        device.take(try device.state.execute(ids.map { .unpublish($0) }, now: device.now))
        let before = device.reports.count
        for _ in 0..<5 {
            device.answer()
            device.waitForReport()
        }
        var ended: Set<OperationID> = []
        for report in device.reports[(before - 1)...] {
            #expect(max(report.ended.count, report.published.count, report.subscribed.count) <= 200)
            ended.formUnion(report.ended)
        }
        #expect(ended == Set(ids))
    }

    /// Tokens that were heard once and have no verdict do not count as a crowd to wait for.
    @Test func straysDoNotSlowTheBroadcast() throws {
        var device = try Device()
        device.answer()
        let alone = device.assignments[.audio]?.broadcast?.cadence
        var random = SplitMix64(seed: 5)
        for _ in 0..<500 { device.hear(.token(Token(bits: random.next()))) }
        #expect(alone != nil && device.assignments[.audio]?.broadcast?.cadence == alone)
        // Even repeated ones, which count, slow it no more than as many frames as there is time for.
        for n in 0..<2000 { device.hear(.token(Token(bits: UInt64(n / 2)))) }
        guard case .bursts(let listening)? = device.assignments[.audio]?.broadcast?.cadence else {
            Issue.record("it broadcasts in bursts")
            return
        }
        #expect(listening.upperBound <= .seconds(40))
    }

    /// Beacons that somebody invents and repeats do not keep a new one out.
    @Test func beaconsThatAreRepeatedMakeRoom() {
        var table = BeaconTable()
        func beacon(_ n: Int) -> BeaconSighting {
            let id = (0..<16).map { UInt8(truncatingIfNeeded: n >> (8 * $0)) }
            return BeaconSighting(AdvertisedID(.eddystone, id)!, reading: BeaconReading())
        }
        for n in 0..<2 * BeaconTable.limit {
            for _ in 0..<2 { _ = table.note(beacon(n), now: .start + .milliseconds(n)) }
        }
        let isNew = table.note(beacon(99_999), now: .start + .seconds(10))
        #expect(isNew && table.heard[beacon(99_999).id] != nil)
        #expect(table.heard.count == BeaconTable.limit)
    }

    /// Bytes by sound are heard in a flood, too.
    @Test func bytesAreHeardInAFlood() throws {
        var device = try Device(Subscription(.audioBytes))
        for n in 0..<3000 {
            device.hear(.audioBytes(try AudioBytes([UInt8(n & 255), UInt8(n >> 8)])))
            device.now = device.now + .milliseconds(1)
        }
        let bytes = try AudioBytes([7, 7, 7])
        device.hear(.audioBytes(bytes))
        #expect(device.events.last == .heardBytes(bytes))
    }
}
