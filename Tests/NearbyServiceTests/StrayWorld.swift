import Nearby
import Signal
import Testing

@testable import NearbyService

/// A box that broadcasts, an app that scans, and an attacker who plays his own tokens beside them. The
/// engines and the server's matching are the real ones, in simulated time. The media and the network have
/// delays and no other faults.
struct StrayWorld {
    /// The tokens that the attacker plays.
    struct Strays {
        /// The number of frames a second, on both media in turn; 0 means none.
        var perSecond = 0.0
        /// The number of times that each token is played in a row.
        var repeats = 1
        /// True if the strays are louder than the box.
        var isLoud = false
    }

    /// An engine, and the secret and the mailbox by which the server knows it.
    struct Device {
        var engine: EngineState
        var secret: SecretHash
        var mailbox: String?
        var taken: Int64?
        var sent: Report?
        var answerTime: Instant?
        var found: Instant?
        var tokens: [Medium: Token] = [:]
    }

    private(set) var now = Instant.start
    private var box: Device
    private var app: Device
    /// The refusals of reports, in part or as a whole.
    private(set) var refusals: [ServiceRefusal] = []
    private(set) var reportCount = 0
    private var server: ServiceWorld
    private var random: SplitMix64
    private let strays: Strays
    private var nextStray = Instant.start
    private var strayCount = 0
    private var stray = Token(bits: 0)
    private var isScanning = false
    private var nextFrames: [Medium: Instant]

    /// The period of the box's frames: `dsss` back to back, and advertisements.
    static let periods: [Medium: Duration] = [.audio: .milliseconds(1300), .ble: .milliseconds(400)]
    private static let latency = Duration.milliseconds(30)

    init(seed: UInt64, _ strays: Strays, media: Set<Medium> = [.audio, .ble]) throws {
        (random, self.strays) = (SplitMix64(seed: seed), strays)
        server = ServiceWorld(seed: seed)
        (box, app) = (try Self.device(seed ^ 1, &server), try Self.device(seed ^ 2, &server))
        nextFrames = [:]
        for medium in [Medium.audio, .ble] {
            nextFrames[medium] = .start + (Self.periods[medium]! * Double.random(in: 0..<1, using: &random))
        }
        let strategy = Strategy(media: media, mode: .broadcast)
        for medium in media {
            take(box.engine.happened(.condition(.ready), on: medium, now: now), by: \.box)
            take(app.engine.happened(.condition(.ready), on: medium, now: now), by: \.app)
        }
        let publication = Publication(try Message("the box", type: "t"), strategy: strategy)
        take(try box.engine.execute([.publish(OperationID(1), publication)], now: now), by: \.box)
    }

    private static func device(_ seed: UInt64, _ server: inout ServiceWorld) throws -> Device {
        Device(
            engine: EngineState(permission: .granted, random: SplitMix64(seed: seed)),
            secret: try server.join())
    }

    /// Registers the app, which begins to look for the box and publishes a message of its own.
    mutating func beginScanning(media: Set<Medium> = [.audio, .ble]) throws {
        server.now = now
        app.secret = try server.join()
        isScanning = true
        // Nobody has heard the earlier strays.
        nextStray = now + .seconds(1 / max(1, strays.perSecond) * Double.random(in: 0..<1, using: &random))
        let strategy = Strategy(media: media)
        let own = Publication(try Message("an app", type: "a"), strategy: strategy)
        let subscription = Subscription(MessageFilter([.type("t", namespace: "")]), strategy: strategy)
        take(
            try app.engine.execute(
                [.subscribe(OperationID(1), subscription), .publish(OperationID(2), own)], now: now),
            by: \.app)
    }

    /// The time when the app has found the box; `nil` if it has not.
    var found: Instant? { app.found }

    /// True if the server has the app's own publication.
    var isPublished: Bool {
        server.state.stored(app.secret)?.record.published[OperationID(2)] != nil
    }

    /// The counts of the service, for example of valid, invalid and unjudged tokens.
    var counts: ServiceCounts { server.state.counts }

    /// Lets time pass for a duration, or until the app has found the box.
    mutating func run(for duration: Duration, untilFound: Bool = false) throws {
        let end = now + duration
        while now < end, !(untilFound && app.found != nil) {
            var next = end
            for time in nextFrames.values { next = min(next, time) }
            if isScanning, strays.perSecond > 0 { next = min(next, nextStray) }
            for device in [box, app] {
                for time in [device.answerTime, device.engine.nextDeadline] { next = min(next, time ?? end) }
            }
            now = max(now, next)
            try step()
        }
    }

    private mutating func step() throws {
        for path in [\StrayWorld.box, \.app] as [WritableKeyPath<StrayWorld, Device>] {
            if let time = self[keyPath: path].answerTime, time <= now { try answer(path) }
            if let time = self[keyPath: path].engine.nextDeadline, time <= now {
                take(self[keyPath: path].engine.advance(to: now), by: path)
            }
        }
        for (medium, time) in nextFrames.sorted(by: { $0.key < $1.key }) where time <= now {
            nextFrames[medium] = time + Self.periods[medium]!
            if let token = box.tokens[medium] { hear(token, on: medium, isLoud: false) }
        }
        while isScanning, strays.perSecond > 0, nextStray <= now {
            nextStray = nextStray + .seconds(1 / strays.perSecond)
            if strayCount % strays.repeats == 0 { stray = Token(bits: random.next()) }
            hear(stray, on: [Medium.audio, .ble][strayCount / strays.repeats % 2], isLoud: strays.isLoud)
            strayCount += 1
        }
    }

    private mutating func hear(_ token: Token, on medium: Medium, isLoud: Bool) {
        guard isScanning else { return }
        let signal =
            medium == .ble
            ? Sighting.Signal(rssiDBm: isLoud ? -30 : -75) : Sighting.Signal(snrDecibels: isLoud ? 30 : 5)
        take(
            app.engine.happened(
                .sighted(Sighting(.token(token), on: medium, signal: signal)), on: medium, now: now),
            by: \.app)
    }

    private mutating func take(_ actions: [EngineAction], by path: WritableKeyPath<StrayWorld, Device>) {
        for action in actions {
            switch action {
            case .report(let report):
                self[keyPath: path].sent = report
                self[keyPath: path].answerTime = now + Self.latency
                reportCount += 1
            case .assign(let assignment, let medium):
                self[keyPath: path].tokens[medium] = assignment.broadcast?.token
            case .deliver(.found(let one), _) where one.message.content == Array("the box".utf8):
                self[keyPath: path].found = self[keyPath: path].found ?? now
            default: break
            }
        }
    }

    /// Delivers the report that is on its way, and its answer.
    private mutating func answer(_ path: WritableKeyPath<StrayWorld, Device>) throws {
        var device = self[keyPath: path]
        guard var report = device.sent else { return }
        (device.sent, device.answerTime) = (nil, nil)
        self[keyPath: path] = device
        // The observations are limited as in a request's body.
        report.observations = Array(report.observations.prefix(2560))
        server.now = now
        _ = server.state.advance(to: now)
        do {
            let reply = try server.report(
                device.secret, mailbox: device.mailbox, taken: device.taken, { $0 = report }
            ).reply
            var answer = reply.answer
            answer.deliveries = reply.mailbox?.pending ?? []
            self[keyPath: path].mailbox = reply.mailbox?.name
            self[keyPath: path].taken = reply.mailbox?.last
            take(self[keyPath: path].engine.answered(answer, now: now), by: path)
        } catch let refusal as ServiceRefusal {
            refusals.append(refusal)
            take(self[keyPath: path].engine.failed(.rateLimited(retryAfter: .seconds(5)), now: now), by: path)
        }
    }
}
