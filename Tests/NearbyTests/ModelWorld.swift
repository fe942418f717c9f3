import Nearby
import NearbyTestSupport
import Signal
import Testing

/// A world of three devices, a registry that may fail, and a medium on which devices that scan may hear
/// devices that broadcast. Chance moves it one step at a time.
struct ModelWorld {
    struct Device {
        var engine: EngineState
        var mirror = EngineMirror()
        var identity: RegistryState.DeviceID?
        var lastNumber: UInt64 = 0
        var contents: [OperationID: Message] = [:]
        /// The operations that the registry has accepted from the device and has not been asked to forget.
        var known: Set<OperationID> = []
        /// True while a stream is open; its end is the device's unless a proxy holds it.
        var hasStream = false
    }

    private(set) var now = Instant.start
    private(set) var devices: [Device] = []
    private var registry: RegistryState
    private var random: SplitMix64
    private var serial = 0
    private(set) var beacons = ModelBeacons()

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        registry = RegistryState(random: SplitMix64(seed: seed ^ 1))
        registry.setTokenKeys(TokenKey.test())
        for n in 0..<3 {
            devices.append(Device(engine: ModelWorld.engine(seed &+ UInt64(n) &* 77)))
        }
    }

    private static func engine(_ seed: UInt64) -> EngineState {
        // These times are within the time that ``ModelCheckTests`` gives the world to recover.
        var settings = EngineSettings.standard
        (settings.knownBeaconMemory, settings.unknownBeaconMemory) = (.seconds(50), .seconds(30))
        return EngineState(settings: settings, hasBeaconRegistry: true, random: SplitMix64(seed: seed))
    }

    mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Does one random event on a random device.
    mutating func step() {
        let n = draw(devices.count)
        if devices[n].mirror.isEnded && draw(20) == 0 { restart(n) }
        switch draw(24) {
        case 0...2 where devices[n].mirror.isEnded: reply(n)
        case 0 where draw(100) == 0: end(n)
        case 0...1: devices[n].mirror.live.count < 12 ? begin(n) : endOne(n)
        case 2: endOne(n)
        case 3: republish(n)
        case 4: set(n, permission: [.granted, .granted, .granted, .denied, .undecided][draw(5)])
        case 5: setBackground(n, draw(3) == 0)
        case 6: happened(n, .condition(drawCondition()), on: Medium.allCases[draw(2)])
        case 7: happened(n, draw(2) == 0 ? .sent : .held, on: Medium.allCases[draw(2)])
        case 8...11: hear(n)
        case 12...15: reply(n)
        case 16: pass(.milliseconds(draw(3000)))
        case 17: pass(draw(20) == 0 ? .seconds(draw(700)) : .seconds(draw(10)))
        case 18, 19: hearBeacon(n, ModelBeacons.ids[draw(ModelBeacons.ids.count)])
        case 20: answerBeacons(n)
        case 21 where draw(10) == 0:
            beacons.registered.formSymmetricDifference([ModelBeacons.ids[draw(ModelBeacons.ids.count)]])
        case 22: devices[n].hasStream ? endStream(n) : beginStream(n)
        default: pass(.milliseconds(draw(200)))
        }
    }

    // MARK: What happens

    private mutating func perform(_ n: Int, _ actions: [EngineAction]) {
        devices[n].mirror.take(actions, now: now)
        if let deadline = devices[n].engine.nextDeadline, deadline <= now {
            Issue.record("a deadline that has passed: it would never rest")
        }
    }

    private mutating func execute(_ n: Int, _ operation: Operation) {
        do {
            perform(n, try devices[n].engine.execute([operation], now: now))
        } catch {
            Issue.record(error)
        }
    }

    mutating func begin(_ n: Int, _ wanted: Strategy? = nil) {
        devices[n].lastNumber += 1
        let id = OperationID(devices[n].lastNumber)
        let strategy = wanted ?? drawStrategy()
        let isSubscription = draw(2) == 0
        let end = strategy.timeToLive.map { now + $0 }
        devices[n].mirror.live[id] = .init(strategy: strategy, isSubscription: isSubscription, end: end)
        let isByBytes = wanted == nil && strategy.media.contains(.audio) && draw(4) == 0
        if isSubscription {
            var filter = draw(2) == 0 ? MessageFilter.everything : .type(drawType())
            if isByBytes { filter = draw(2) == 0 ? .audioBytes : filter.union(.audioBytes) }
            devices[n].mirror.live[id]?.wantsBytes = isByBytes
            var subscription = Subscription(filter, strategy: strategy)
            if draw(3) == 0 { drawBeacons(&subscription, alone: draw(2) == 0 && !isByBytes) }
            devices[n].mirror.live[id]?.looksForDevices = subscription.looksForDevices
            devices[n].mirror.live[id]?.beacons = subscription.beacons
            execute(n, .subscribe(id, subscription))
        } else if isByBytes {
            let bytes = drawBytes()
            var publication = Publication(bytes)
            publication.strategy = strategy
            // A publication that only scans sends nothing.
            devices[n].mirror.live[id]?.bytes = strategy.mode.contains(.broadcast) ? bytes : nil
            execute(n, .publish(id, publication))
        } else {
            execute(n, .publish(id, Publication(drawMessage(n, id), strategy: strategy)))
        }
    }

    /// Ends the engine at any moment.
    private mutating func end(_ n: Int) {
        devices[n].mirror.end()
        perform(n, devices[n].engine.end(now: now))
    }

    /// Restarts the device's process, if it had ended, without any memory.
    mutating func restart(_ n: Int) {
        guard devices[n].mirror.isEnded else { return }
        forget(n)
        let last = devices[n].lastNumber
        devices[n] = Device(engine: ModelWorld.engine(random.next()))
        devices[n].lastNumber = last
    }

    private mutating func endOne(_ n: Int) {
        let ids = devices[n].mirror.live.keys.sorted()
        guard !ids.isEmpty else { return }
        let id = ids[draw(ids.count)]
        devices[n].mirror.end(id)
        execute(n, .unpublish(id))
    }

    private mutating func republish(_ n: Int) {
        let ids = devices[n].mirror.live.filter { !$0.value.isSubscription }.keys.sorted()
        guard !ids.isEmpty else { return }
        let id = ids[draw(ids.count)]
        devices[n].mirror.live[id]?.bytes = nil
        execute(n, .republish(id, drawMessage(n, id)))
    }

    private mutating func drawMessage(_ n: Int, _ id: OperationID) -> Message {
        serial += 1
        do {
            let message = try Message("message \(serial)", type: drawType())
            devices[n].contents[id] = message
            return message
        } catch { preconditionFailure("a short message") }
    }

    mutating func set(_ n: Int, permission: Permission) {
        devices[n].mirror.permission = permission
        perform(n, devices[n].engine.setPermission(permission, now: now))
    }

    mutating func setBackground(_ n: Int, _ isInBackground: Bool) {
        devices[n].mirror.isInBackground = isInBackground
        perform(n, devices[n].engine.setBackground(isInBackground, now: now))
    }

    mutating func happened(_ n: Int, _ event: MediumEvent, on medium: Medium) {
        if case .condition(let condition) = event { devices[n].mirror.conditions[medium] = condition }
        perform(n, devices[n].engine.happened(event, on: medium, now: now))
    }

    /// Lets device `n` hear some device, perhaps itself, or a token that stands for nobody.
    private mutating func hear(_ n: Int) {
        let medium = Medium.allCases[draw(2)]
        let payloads = devices[draw(devices.count)].mirror.assignments[medium]?.broadcast?.payloads ?? []
        let spoken = payloads.isEmpty ? nil : payloads[draw(payloads.count)]
        let payload = draw(10) == 0 ? .token(Token(bits: random.next())) : spoken
        guard let payload else { return }
        let age = Duration.milliseconds(draw(1500))
        happened(n, .sighted(Sighting(payload, on: medium, age: min(age, now.offset))), on: medium)
    }

    mutating func hear(_ n: Int, from other: Int, on medium: Medium) {
        guard let token = devices[other].mirror.assignments[medium]?.broadcast?.token else { return }
        happened(n, .sighted(Sighting(.token(token), on: medium)), on: medium)
    }

    /// Answers the report that is on its way, or does not.
    mutating func reply(_ n: Int, always: Bool = false) {
        guard let report = devices[n].mirror.inFlight else { return }
        devices[n].mirror.inFlight = nil
        switch always ? 9 : draw(30) {
        case 0: return fail(n, .unreachable("cut"))
        case 1: return fail(n, .rateLimited(retryAfter: .seconds(3)))
        case 2:
            _ = take(report, from: n)  // The answer is lost on its way.
            return fail(n, .unreachable("no answer"))
        case 3: forget(n)
        default: break
        }
        if devices[n].identity == nil && !report.isComplete { return fail(n, .unknownDevice) }
        guard let answer = take(report, from: n) else { return fail(n, .unknownDevice) }
        devices[n].mirror.granted(answer, now: now)
        perform(n, devices[n].engine.answered(answer, now: now))
    }

    private mutating func take(_ report: Report, from n: Int) -> Answer? {
        let id = devices[n].identity ?? registry.join(now: now)
        devices[n].identity = id
        guard let (answer, events) = try? registry.report(report, from: id, now: now) else {
            forget(n)
            return nil
        }
        if report.isComplete || report.unregisters { devices[n].known = [] }
        devices[n].known.subtract(report.ended)
        devices[n].known.formUnion(report.published.keys)
        devices[n].known.formUnion(report.subscribed.keys)
        if report.unregisters { forget(n) }
        tell(events)
        return answer
    }

    /// Has the registry and the device no longer know each other. A stream of theirs ends.
    private mutating func forget(_ n: Int) {
        endStream(n)
        (devices[n].identity, devices[n].known) = (nil, [])
    }

    private mutating func beginStream(_ n: Int) {
        guard let id = devices[n].identity else { return }
        devices[n].hasStream = true
        let keepAlive = registry.beginStream(of: id, isDirect: draw(4) > 0, now: now)
        if let keepAlive { told(n, keepAlive: keepAlive) }
    }

    /// Ends a stream, as both ends notice: by its close, or because the device did not answer for so long.
    private mutating func endStream(_ n: Int) {
        guard devices[n].hasStream, let id = devices[n].identity else { return }
        devices[n].hasStream = false
        registry.endStream(of: id, isDead: draw(3) == 0, now: now)
        told(n, keepAlive: .seconds(5))
    }

    private mutating func told(_ n: Int, keepAlive: Duration) {
        var answer = Answer()
        answer.keepAlive = keepAlive
        perform(n, devices[n].engine.notified(answer, now: now))
    }

    private mutating func fail(_ n: Int, _ error: RegistryError) {
        perform(n, devices[n].engine.failed(error, now: now))
    }

    private mutating func tell(_ events: RegistryState.RegistryEvents) {
        for n in devices.indices {
            guard let id = devices[n].identity, let answer = events[id] else { continue }
            perform(n, devices[n].engine.notified(answer, now: now))
        }
    }

    /// Lets time pass. Every device whose deadline passes acts at that time.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while true {
            let deadlines = devices.map(\.engine.nextDeadline) + [registry.nextDeadline]
            guard let next = deadlines.compactMap({ $0 }).min(), next <= end else { break }
            now = max(now, next)
            for n in devices.indices where devices[n].engine.nextDeadline.map({ $0 <= now }) ?? false {
                perform(n, devices[n].engine.advance(to: now))
            }
            if registry.nextDeadline.map({ $0 <= now }) ?? false { tell(registry.advance(to: now)) }
        }
        now = end
    }

    // MARK: Beacons

    mutating func hearBeacon(_ n: Int, _ id: AdvertisedID) {
        devices[n].mirror.hear(id, now: now)
        let reading = BeaconReading(rssiDBm: -60 - draw(20), meters: draw(3) == 0 ? nil : Double(1 + draw(9)))
        happened(n, .beacon(BeaconSighting(id, reading: reading)), on: .ble)
    }

    /// Answers the question about beacons that is on its way, or does not.
    mutating func answerBeacons(_ n: Int, always: Bool = false) {
        guard let question = devices[n].mirror.question else { return }
        devices[n].mirror.question = nil
        if !always && draw(4) == 0 {
            perform(n, devices[n].engine.beaconsFailed(.unreachable("cut"), now: now))
        } else {
            perform(n, devices[n].engine.beaconsAnswered(beacons.known(question), now: now))
        }
    }
}
