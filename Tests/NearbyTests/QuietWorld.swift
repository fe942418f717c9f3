import Nearby
import NearbyTestSupport
import Signal

/// Two engines that hear each other by sound, and a registry to which both have a stream. Frames are lost at
/// random, and messages take time.
struct QuietWorld {
    struct Device {
        var engine: EngineState
        let id: RegistryState.DeviceID
        var assignment = MediumAssignment.idle
        var found = 0
        var lost: Instant?
        var reports = 0
        /// The time at which the device last heard the other.
        var lastHeard = Instant.start
        var isListening = true
        /// True if the device sends nothing, though it means to.
        var isMuted = false
        /// True if the device has vanished or hangs: it neither sends nor hears nor reports.
        var isGone = false
        /// A report or an answer that is on its way, with the time of its arrival.
        var onItsWay: (message: Message, arrival: Instant)?
        var nextFrame = Instant.start
        /// The times at which the device lost the other although it had heard it within the patience.
        var falselyLost: [Instant] = []

        enum Message {
            case report(Report)
            case answer(Answer)
        }
    }

    private(set) var now = Instant.start
    private(set) var registry: RegistryState
    private(set) var devices: [Device] = []
    private var random: SplitMix64
    /// The share of frames that are heard.
    private let heardShare: Double
    /// The seconds from one frame of a device to its next.
    var frameSeconds = 1.8...2.2

    init(seed: UInt64, heardShare: Double = 0.86) throws {
        random = SplitMix64(seed: seed)
        self.heardShare = heardShare
        registry = RegistryState(random: SplitMix64(seed: seed &+ 1))
        registry.setTokenKeys(TokenKey.test())
        for n in 0..<2 {
            let engine = EngineState(
                permission: .granted, random: SplitMix64(seed: seed &* 2 &+ UInt64(n)))
            devices.append(Device(engine: engine, id: registry.join(now: now)))
        }
        for n in 0..<2 {
            let message = try Nearby.Message("device \(n)")
            perform(n, devices[n].engine.happened(.condition(.ready), on: .audio, now: now))
            perform(
                n,
                try devices[n].engine.execute(
                    [
                        .publish(OperationID(1), Publication(message)),
                        .subscribe(OperationID(2), Subscription()),
                    ], now: now))
        }
    }

    private mutating func draw(_ seconds: ClosedRange<Double>) -> Duration {
        .milliseconds(Int(Double.random(in: seconds, using: &random) * 1000))
    }

    private mutating func perform(_ n: Int, _ actions: [EngineAction]) {
        for action in actions {
            switch action {
            case .report(let report):
                devices[n].reports += 1
                devices[n].onItsWay = (.report(report), now + draw(0.01...0.3))
            case .assign(let assignment, _): devices[n].assignment = assignment
            case .deliver(.found, _): devices[n].found += 1
            case .deliver(.lost, _):
                devices[n].found -= 1
                devices[n].lost = now
                let other = devices[1 - n]
                let heard = max(devices[n].lastHeard, other.lastHeard)
                if heard + .seconds(13) > now { devices[n].falselyLost.append(now) }
            default: break
            }
        }
    }

    // MARK: Time

    mutating func pass(_ seconds: Double) {
        let end = now + .milliseconds(Int(seconds * 1000))
        while true {
            var times = [registry.nextDeadline].compactMap { $0 }
            for device in devices where !device.isGone {
                times += [device.nextFrame, device.engine.nextDeadline, device.onItsWay?.arrival]
                    .compactMap { $0 }
            }
            guard let next = times.min(), next <= end else { break }
            now = max(now, next)
            for n in devices.indices where !devices[n].isGone { step(n) }
            if registry.nextDeadline.map({ $0 <= now }) ?? false { tell(registry.advance(to: now)) }
        }
        now = end
    }

    private mutating func step(_ n: Int) {
        if let (message, arrival) = devices[n].onItsWay, arrival <= now {
            devices[n].onItsWay = nil
            arrive(message, n)
        }
        if devices[n].nextFrame <= now {
            devices[n].nextFrame = now + draw(frameSeconds)
            send(n)
        }
        if devices[n].engine.nextDeadline.map({ $0 <= now }) ?? false {
            perform(n, devices[n].engine.advance(to: now))
        }
    }

    private mutating func send(_ n: Int) {
        guard let token = devices[n].assignment.broadcast?.token, !devices[n].isMuted else { return }
        perform(n, devices[n].engine.happened(.sent, on: .audio, now: now))
        let other = 1 - n
        guard !devices[other].isGone, devices[other].isListening, devices[other].assignment.isScanning,
            Double.random(in: 0..<1, using: &random) < heardShare
        else { return }
        devices[other].lastHeard = now
        let sighting = Sighting(.token(token), on: .audio)
        perform(other, devices[other].engine.happened(.sighted(sighting), on: .audio, now: now))
    }

    private mutating func arrive(_ message: Device.Message, _ n: Int) {
        switch message {
        case .answer(let answer): perform(n, devices[n].engine.answered(answer, now: now))
        case .report(let report):
            guard let (answer, events) = try? registry.report(report, from: devices[n].id, now: now) else {
                return perform(n, devices[n].engine.failed(.unknownDevice, now: now))
            }
            devices[n].onItsWay = (.answer(answer), now + draw(0.01...0.3))
            tell(events)
            if devices[n].reports == 1 { beginStream(n) }
        }
    }

    private mutating func tell(_ events: RegistryState.RegistryEvents) {
        for n in devices.indices where !devices[n].isGone {
            if let answer = events[devices[n].id] {
                perform(n, devices[n].engine.notified(answer, now: now))
            }
        }
    }

    // MARK: Faults

    mutating func beginStream(_ n: Int) {
        var answer = Answer()
        answer.keepAlive = registry.beginStream(of: devices[n].id, isDirect: true, now: now)
        if answer.keepAlive != nil { perform(n, devices[n].engine.notified(answer, now: now)) }
    }

    /// Breaks the stream, as both ends notice.
    mutating func breakStream(_ n: Int) {
        registry.endStream(of: devices[n].id, isDead: false, now: now)
        var answer = Answer()
        answer.keepAlive = .seconds(5)
        perform(n, devices[n].engine.notified(answer, now: now))
    }

    mutating func mute(_ n: Int) { devices[n].isMuted = true }

    mutating func stopListening(_ n: Int) { devices[n].isListening = false }

    mutating func vanish(_ n: Int) { devices[n].isGone = true }

    /// The registry notices that the stream of a device has ended.
    mutating func endStream(_ n: Int, isDead: Bool) {
        registry.endStream(of: devices[n].id, isDead: isDead, now: now)
    }
}
