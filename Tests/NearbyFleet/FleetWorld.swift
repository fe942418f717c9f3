import Nearby
import NearbyService
import NearbyTestSupport
import NearbyWire
import Signal

/// A project of many boxes and fewer apps, in virtual time. All boxes broadcast by sound and have a stream;
/// apps walk from one of the visited boxes to the next. What the server's network would do is left out.
///
///     box   register ─ publish ─ play ─ stream ───── refill ────────── refill ──
///     app   register ─ subscribe ─ stream ─── hears ─ next token ─ leaves ─── hears ─
struct FleetWorld {
    struct Plan {
        var boxes = 1_000_000
        var apps = 100_000
        var seed: UInt64 = 1
        /// Boxes of which one is visited.
        var visited = 50
        var visit = Duration.seconds(60)...Duration.seconds(300)
        var pause = Duration.seconds(120)...Duration.seconds(600)
        /// Streams of a box that break in a day.
        var breaksPerDay = 2.0
    }

    enum Event {
        case appHears(Int)
        case appHearsOn(Int, visit: Int)
        case appLeaves(Int, visit: Int)
        case streamBreaks(Int)
        case streamReturns(Int)
    }

    private struct App {
        var secret: SecretHash
        var mailbox: String?
        var taken: Int64 = 0
        var box: Int?
        var visit = 0
    }

    private typealias Turn = (token: Token, begin: Instant, end: Instant)

    static let ticksPerSecond = 100
    private static let publication = OperationID(1)

    private let plan: Plan
    private var state: ProjectState
    private var random: SplitMix64
    private var boxes: [SecretHash] = []
    /// The boxes that are visited.
    private var places: [SecretHash: Int] = [:]
    private var apps: [App] = []
    private var turns: [Int: [Turn]] = [:]
    private let networks = (0..<4096).map { ClientNetwork("10.\($0 >> 8).\($0 & 255).7") }
    private(set) var calendar: Calendar<Event>
    private let start: Instant
    private(set) var cost = RunCost()
    /// The bytes that went down streams, without HTTP and TLS.
    private(set) var bytesDown = 0
    private(set) var (found, lost) = (0, 0)

    // MARK: Set-up

    /// Lets all devices come within ten minutes.
    init(_ plan: Plan, hours: Double) throws {
        self.plan = plan
        random = SplitMix64(seed: plan.seed)
        var settings = ServiceSettings()
        let count = plan.boxes + plan.apps
        settings.devicesPerProject = 2 * count
        settings.registrationsPerProject = Budget.Limit(perSecond: 1e6, atOnce: 2 * Double(count))
        settings.reportsPerProject = Budget.Limit(perSecond: 1e6, atOnce: 4 * Double(count))
        settings.bytesKeptPerProject = 1 << 40
        let unixMillis: Int64 = 1_780_293_600_000
        state = ProjectState(
            settings: settings, startUnixMillis: unixMillis, random: SplitMix64(seed: plan.seed &+ 1))
        let day = state.registry.day(at: .start)
        state.registry.setTokenKeys(
            (day - 1...day + 1).map { day in
                TokenKey(day: day, bytes: (0..<16).map { UInt8(truncatingIfNeeded: day &* 7 &+ $0) })!
            })
        calendar = Calendar(length: Int(hours * 3600) * FleetWorld.ticksPerSecond)
        start = Instant(offset: .seconds(600))
        boxes.reserveCapacity(plan.boxes)
        for n in 0..<plan.boxes {
            try addBox(n, now: .start + .seconds(600) * (Double(n) / Double(plan.boxes)))
        }
        for n in 0..<plan.apps { try addApp(n) }
    }

    private mutating func register(_ n: Int, now: Instant) throws -> SecretHash {
        let secret = Secret(.device, of: ProjectID(1), random: &random).hash
        let begin = processorSeconds()
        try state.register(secret, key: KeyID(1), from: networks[n % 4096], now: now)
        cost.add(.registration, since: begin)
        return secret
    }

    private mutating func addBox(_ n: Int, now: Instant) throws {
        let secret = try register(n, now: now)
        boxes.append(secret)
        if n % plan.visited == 0 { places[secret] = n }
        var report = Report()
        report.isComplete = true
        report.observationsAreComplete = true
        report.takesTokensAhead = true
        report.wantsTokens = [.audio]
        report.published[FleetWorld.publication] = Publication(
            try Message("screen \(n)", type: "screen"), strategy: Strategy(media: [.audio], mode: .broadcast))
        let grants = try take(report, of: secret, n, .completeReport, now: now).answer.grants
        note(grants, of: n, now: now)
        report = Report()
        report.observationsAreComplete = true
        report.takesTokensAhead = true
        report.playing = [PlayingToken(grants[0].token, on: .audio, period: .seconds(3))]
        _ = try take(report, of: secret, n, .changedSet, now: now)
        beginStream(of: secret, now: now)
        let share =
            plan.breaksPerDay / 24 * Double(calendar.length) / Double(3600 * FleetWorld.ticksPerSecond)
        if random.nextShare() < share {
            calendar.add(.streamBreaks(n), at: Int(random.nextShare() * Double(calendar.length)))
        }
    }

    private mutating func addApp(_ n: Int) throws {
        let secret = try register(n, now: start)
        var report = Report()
        report.isComplete = true
        report.observationsAreComplete = true
        report.subscribed[FleetWorld.publication] = Subscription(
            .type("screen"), strategy: Strategy(media: [.audio], mode: .scan))
        apps.append(App(secret: secret))
        try takeOfApp(report, n, .completeReport, now: start)
        beginStream(of: secret, now: start)
        calendar.add(.appHears(n), at: tick(in: .zero...plan.pause.upperBound))
    }

    /// Forgets what the set-up has cost.
    mutating func beginMeasuring() { cost = RunCost() }

    // MARK: Time

    /// Lets the time of one tick pass.
    mutating func step() throws {
        let now = start + .milliseconds(calendar.now * 1000 / FleetWorld.ticksPerSecond)
        if let deadline = state.nextDeadline, deadline <= now {
            let begin = processorSeconds()
            let effects = state.advance(to: now)
            let refills = tell(effects, now: now)
            let seconds = processorSeconds() - begin
            for _ in 0..<refills { cost.add(.refill, seconds / Double(refills)) }
            if refills == 0 { cost.add(.otherDeadline, seconds) }
        }
        for event in calendar.next() { try happen(event, now: now) }
    }

    private mutating func happen(_ event: Event, now: Instant) throws {
        switch event {
        case .appHears(let n):
            apps[n].visit += 1
            apps[n].box = Int(random.next() % UInt64(max(1, boxes.count / plan.visited))) * plan.visited
            try hear(n, now: now)
            calendar.add(.appLeaves(n, visit: apps[n].visit), at: tick(in: plan.visit))
        case .appHearsOn(let n, let visit):
            if apps[n].visit == visit, apps[n].box != nil { try hear(n, now: now) }
        case .appLeaves(let n, let visit):
            guard apps[n].visit == visit else { return }
            apps[n].box = nil
            try takeOfApp(empty, n, .changedSet, now: now)
            calendar.add(.appHears(n), at: tick(in: plan.pause))
        case .streamBreaks(let n):
            let begin = processorSeconds()
            state.endStream(of: boxes[n], isDead: false, now: now)
            cost.add(.streamEnds, since: begin)
            calendar.add(.streamReturns(n), at: tick(in: .seconds(1)...(.seconds(30))))
        case .streamReturns(let n): beginStream(of: boxes[n], now: now)
        }
    }

    private mutating func tick(in wait: ClosedRange<Duration>) -> Int {
        calendar.now + FleetWorld.ticks(random.nextDuration(in: wait))
    }

    private static func ticks(_ time: Duration) -> Int { Int(time.inSeconds * Double(ticksPerSecond)) }

    private var empty: Report {
        var report = Report()
        report.observationsAreComplete = true
        return report
    }

    /// Reports the token that the app's box has on air, and again when the box changes it.
    private mutating func hear(_ n: Int, now: Instant) throws {
        guard let box = apps[n].box, let turn = turns[box]?.first(where: { $0.begin <= now && now < $0.end })
        else { return }
        var report = empty
        report.observations = [TokenObservation(turn.token, on: .audio, age: .milliseconds(500))]
        try takeOfApp(report, n, .changedSet, now: now)
        let next = FleetWorld.ticks(turn.end.offset - start.offset + .seconds(1))
        calendar.add(.appHearsOn(n, visit: apps[n].visit), at: next)
    }

    // MARK: Reports and events

    private mutating func takeOfApp(_ report: Report, _ n: Int, _ kind: RunCost.Kind, now: Instant) throws {
        let reply = try take(report, of: apps[n].secret, n, kind, as: apps[n], now: now)
        guard let mailbox = reply.mailbox else { return }
        found += mailbox.pending.filter { $0.change == .found }.count
        lost += mailbox.pending.filter { $0.change == .lost }.count
        (apps[n].mailbox, apps[n].taken) = (mailbox.name, mailbox.last)
    }

    private mutating func take(
        _ report: Report, of secret: SecretHash, _ n: Int, _ kind: RunCost.Kind, as app: App? = nil,
        now: Instant
    ) throws -> ProjectState.Reply {
        let begin = processorSeconds()
        let (reply, effects) = try state.report(
            report, mailbox: app?.mailbox, takenNews: app?.taken, from: secret, at: networks[n % 4096],
            now: now)
        cost.add(kind, since: begin)
        _ = tell(effects, now: now)
        return reply
    }

    private mutating func beginStream(of secret: SecretHash, now: Instant) {
        let begin = processorSeconds()
        _ = state.beginStream(of: secret, isDirect: true, now: now)
        cost.add(.streamBegins, since: begin)
    }

    /// Encodes what goes down the streams. Returns the number of devices that got tokens.
    private mutating func tell(_ effects: ProjectState.Effects, now: Instant) -> Int {
        var refills = 0
        for secret in effects.notified {
            guard let answer = state.takeEvents(of: secret, after: .max)?.answer else { continue }
            bytesDown += WireAnswer(answer).json.count
            guard !answer.grants.isEmpty else { continue }
            refills += 1
            if let n = places[secret] { note(answer.grants, of: n, now: now) }
        }
        return refills
    }

    /// Notes the tokens of a box that is visited.
    private mutating func note(_ grants: [Answer.Grant], of n: Int, now: Instant) {
        if n % plan.visited == 0 {
            turns[n] = grants.map { ($0.token, now + $0.startsIn, now + $0.timeToLive) }
        }
    }
}
