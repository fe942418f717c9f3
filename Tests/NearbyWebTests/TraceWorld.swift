import FoundationEssentials
import Nearby
import NearbyTestSupport
import NearbyWire

@testable import NearbyWeb

/// A page's engine and random events, always the same for a seed: users, sound, and a server that matches,
/// forgets and fails. It records every event and its actions.
struct TraceWorld {
    private(set) var steps: [JSONMembers] = []
    let beginning: JSONMembers
    private var engine: WebEngine
    private var random: SeededRandom
    private var nowMicroseconds: Int64 = 0
    private let firstWallMicroseconds: Int64 = 1_800_000_000_000_000
    private var registry: RegistryState
    private var me: RegistryState.DeviceID?
    private var other: RegistryState.DeviceID
    private var otherToken: Token?
    private var lastNumber: UInt64 = 0
    private var live: [UInt64] = []
    private var inFlight: Report?
    private var mailbox = 0
    private var news: Int64 = 0
    private var unsent: [Answer.Delivery] = []
    /// The tokens that the registry sends unasked.
    private var ungranted: [Answer.Grant] = []

    init(seed: UInt8, permission: Permission = .granted, offlineKey: String? = nil) throws {
        let bytes = [UInt8](repeating: seed, count: SeededRandom.seedByteCount)
        var record = RecordWriter()
        record.put(permission, Codes.permissions)
        record.put(bytes)
        record.put(offlineKey) { $0.put($1) }
        engine = try WebEngine(record: record.bytes)
        random = SeededRandom(seed: bytes.map { $0 ^ 0xFF })!
        registry = RegistryState(random: random)
        registry.setTokenKeys(TokenKey.test())
        other = registry.join(now: .start)
        var one: JSONMembers = ["seed": Int(seed), "permission": permission.rawValue]
        if let offlineKey { one["offlineKey"] = offlineKey }
        beginning = one
        try speak()
        try happen(.happened(.condition(.ready), on: .audio))
    }

    var json: JSONMembers { beginning.merging(["steps": steps]) { $1 } }

    // MARK: Events

    private var now: Instant { Instant(offset: .microseconds(nowMicroseconds)) }

    mutating func happen(_ kind: WebEvent.Kind) throws {
        let event = WebEvent(
            kind: kind, nowMicroseconds: nowMicroseconds,
            wallMicroseconds: firstWallMicroseconds + nowMicroseconds)
        let actions = try engine.perform(event)
        var step = event.json
        let envelope = engine.envelope
        step["now"] = nowMicroseconds
        step["actions"] = actions.map { $0.json(envelope) }
        if let deadline = engine.nextDeadline { step["nextDeadline"] = deadline.offset.microsecondsUp }
        steps.append(step)
        for case .report(let report) in actions { inFlight = report }
    }

    mutating func wait(_ seconds: Double) { nowMicroseconds += Int64(seconds * 1e6) }

    mutating func waitForDeadline() throws {
        guard let deadline = engine.nextDeadline?.offset.microsecondsUp else { return }
        nowMicroseconds = max(nowMicroseconds, deadline)
        try happen(.advance)
    }

    mutating func begin(_ operation: (OperationID) throws -> Nearby.Operation) throws {
        lastNumber += 1
        live.append(lastNumber)
        try happen(.execute([try operation(OperationID(lastNumber))]))
    }

    // MARK: The server

    /// Answers the report on its way.
    mutating func answer() throws {
        guard let report = inFlight else { return }
        inFlight = nil
        if report.isComplete || me == nil {
            me = registry.join(now: now)
            (mailbox, news) = (mailbox + 1, 0)
        }
        do throws(RegistryError) {
            let (answer, told) = try registry.report(report, from: me!, now: now)
            take(told)
            let deliveries = answer.deliveries
            news += Int64(deliveries.count)
            try? happen(
                .answered(
                    answer, verdicts: report.observations.map { answer.verdicts[$0.heard] ?? .notJudged },
                    patience: report.observations.map { answer.patience[$0.heard] ?? .zero },
                    mailbox: "m\(mailbox)", news: news))
        } catch {
            try? happen(.failed(error))
        }
    }

    mutating func fail(_ error: RegistryError) throws {
        inFlight = nil
        if error == .unknownDevice { me = nil }
        try happen(.failed(error))
    }

    private mutating func take(_ told: RegistryState.RegistryEvents) {
        guard let me, let mine = told[me] else { return }
        unsent += mine.deliveries
        if !mine.grants.isEmpty { ungranted = mine.grants }
    }

    mutating func tell() throws {
        take(registry.advance(to: now))
        guard !unsent.isEmpty || !ungranted.isEmpty else { return }
        news += Int64(unsent.count)
        let batch = Mailbox.Batch(mailbox: "m\(mailbox)", last: news, unsent)
        let grants = ungranted
        (unsent, ungranted) = ([], [])
        try happen(.notified(batch, keepAlive: nil, grants))
    }

    /// Opens the stream of events, or breaks it.
    mutating func stream(isOpen: Bool) throws {
        guard let me else { return }
        var keepAlive: Duration? = .seconds(5)
        if isOpen {
            keepAlive = registry.beginStream(of: me, isDirect: true, now: now)
        } else {
            registry.endStream(of: me, isDead: false, now: now)
        }
        guard let keepAlive else { return }
        try happen(.notified(Mailbox.Batch(mailbox: nil, last: nil, []), keepAlive: keepAlive, []))
    }

    /// Lets the other device report its publication, and that it is still there.
    mutating func speak(_ text: String = "hello") throws {
        var report = Report()
        report.isComplete = true
        report.published[OperationID(1)] = Publication(
            try Message(text, type: "sign"), strategy: Strategy(mode: .broadcast))
        report.wantsTokens = otherToken == nil ? [.audio] : []
        report.playing = otherToken.map { [PlayingToken($0, on: .audio, period: .seconds(3))] } ?? []
        let (answer, told) = try registry.report(report, from: other, now: now)
        otherToken = answer.grants.first?.token ?? otherToken
        take(told)
    }

    // MARK: Sound

    mutating func hearOther() throws { try hear(otherToken.map { .token($0) }) }

    mutating func hear(_ payload: Sighting.Payload?) throws {
        guard let payload else { return }
        let signal = Sighting.Signal(snrDecibels: Float(Int(random.next() % 20)))
        let age = Duration.microseconds(Int64(random.next() % 900_000))
        try happen(.happened(.sighted(Sighting(payload, on: .audio, age: age, signal: signal)), on: .audio))
    }

    // MARK: Chance

    mutating func draw(_ count: UInt64) -> UInt64 { random.next() % count }

    mutating func anything() throws {
        wait(Double(draw(1_000_000)) * 1e-6)
        let strategy = Strategy.byChance(&random)
        switch draw(25) {
        case 0:
            try begin {
                .publish(
                    $0, Publication(try Message("text \($0)", type: "sign"), strategy: strategy))
            }
        case 1, 2: try begin { .subscribe($0, Subscription(.type("sign"), strategy: strategy)) }
        case 3:
            try begin {
                .subscribe(
                    $0,
                    Subscription(
                        .everything.union(.audioBytes), strategy: Strategy(media: [.audio], mode: .scan)))
            }
        case 4: try begin { .publish($0, Publication(try AudioBytes([1, 2, 3]), timeToLive: .seconds(20))) }
        case 5: try endSome()
        case 6: try changeSome()
        case 7: try happen(.permission([.granted, .granted, .denied, .undecided][Int(draw(4))]))
        case 8: try happen(.background(draw(3) == 0))
        case 9: try changeCondition()
        case 10, 11: try happen(.happened(.sent, on: .audio))
        case 12, 13, 14: try hearOther()
        case 15: try hear(.token(Token(bits: random.next())))
        case 16: try hear(.audioBytes(try AudioBytes([UInt8(draw(3))])))
        case 17:
            try fail(
                [
                    .unreachable("no answer"), .unknownDevice, .rateLimited(retryAfter: .seconds(3)),
                    .refused("no"),
                ][Int(draw(4))])
        case 18: try speak("text \(draw(9))")
        case 19: try tell()
        case 20: wait(Double(draw(60)))
        case 21, 22: try answer()
        case 23: try stream(isOpen: draw(2) == 0)
        default: try waitForDeadline()
        }
    }

    private mutating func endSome() throws {
        guard !live.isEmpty else { return }
        let number = live.remove(at: Int(draw(UInt64(live.count))))
        // It may have ended by itself.
        do { try happen(.execute([.unpublish(OperationID(number))])) } catch let error as WebError {
            guard case .refused = error else { throw error }
        }
    }

    private mutating func changeSome() throws {
        guard let number = live.first else { return }
        // It may be a subscription.
        do {
            try happen(.execute([.republish(OperationID(number), try Message("changed \(draw(9))"))]))
        } catch let error as WebError {
            guard case .refused = error else { throw error }
        }
    }

    private mutating func changeCondition() throws {
        var condition = MediumCondition.ready
        if draw(3) == 0 { condition.set(.forbidden, because: "the user says no", on: .scan) }
        if draw(4) == 0 { condition.set(.failing, on: .broadcast) }
        try happen(.happened(.condition(condition), on: .audio))
    }
}

extension Strategy {
    static func byChance(_ random: inout SeededRandom) -> Strategy {
        let mode: Mode = [.both, .broadcast, .scan][Int(random.next() % 3)]
        let life: Duration? = random.next() % 3 == 0 ? .seconds(Int64(random.next() % 40 + 1)) : nil
        return Strategy(
            media: [.audio], mode: mode, timeToLive: life,
            reach: random.next() % 4 == 0 ? .earshot : .anywhere)
    }
}
