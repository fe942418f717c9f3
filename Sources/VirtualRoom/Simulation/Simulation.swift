import AudioMedium
import Nearby
import Signal

/// Whole devices in simulated air on a virtual clock, which find one another's publications by sound or not.
///
///     EngineState ⇄ TokenTransmitter, TokenReceiver ⇄ Air
///          ⇅ SimulatedRadio, of those that have one
///          ⇅ reports and answers, each late by half of ``registryDelay``
///     RegistryState
///
/// A device with a member's key has an ``OfflineState`` of its own instead, and asks it at once.
///
/// It is deterministic: the same seed and calls give the same timeline. It proceeds in steps of 50 ms.
package struct Simulation: Sendable {
    /// One device of the simulation.
    package struct Device: Sendable {
        package var name: String
        package var air: AirDevice
        /// The device's own project; `nil` if it shares the registry with the others that have none.
        package var member: OfflineMember?
        /// True if it has Bluetooth too: a ``SimulatedRadio``.
        package var hasRadio: Bool
        /// The times of its engine.
        package var settings: EngineSettings

        package init(
            _ name: String, _ air: AirDevice, member: OfflineMember? = nil, hasRadio: Bool = false,
            settings: EngineSettings = .standard
        ) {
            (self.name, self.air, self.member, self.hasRadio) = (name, air, member, hasRadio)
            self.settings = settings
        }
    }

    /// The time from a report to its answer.
    package static let registryDelay = Duration.milliseconds(60)
    static let blockCount = 2400
    /// The duration of a token's frame.
    package let frameSeconds: Double

    package internal(set) var timeline = Timeline()
    package private(set) var now = Instant.start
    var devices: [SimulatedDevice]
    private var air: Air
    var registry: RegistryState
    /// True if reports reach the registry.
    var isRegistryReachable = true
    /// The devices that the restarted registry does not know until they send a complete report.
    var strangers: Set<Int> = []
    var deliveries = DelayedDeliveries()
    private var heard: [[Float]] = []

    package init(
        _ plan: FloorPlan, devices: [Device], programmes: [Programme] = [], ambience: Ambience = Ambience(),
        settings: AudioMediumSettings = AudioMediumSettings(levelDBFS: 0), seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        frameSeconds = settings.profile.durationSeconds(tokenByteCount: Token.byteCount)
        air = Air(
            plan, devices: devices.map(\.air), programmes: programmes, ambience: ambience,
            blockCount: Simulation.blockCount, seed: random.next())
        registry = RegistryState(random: SplitMix64(seed: random.next()))
        self.devices = devices.map { SimulatedDevice($0, settings: settings, seed: random.next()) }
        // These seeds are drawn last, so that a simulation without radios runs as if there were none.
        for device in devices.indices where devices[device].hasRadio {
            self.devices[device].addRadio(seed: random.next())
        }
    }

    package var seconds: Double { now.offset.inSeconds }
    package func name(of device: Int) -> String { devices[device].name }
    package func status(of device: Int) -> EngineStatus? { devices[device].engine.currentStatus }

    // MARK: What the users do

    /// Publishes a message. Throws the errors of ``Publication/validate()``.
    @discardableResult
    package mutating func publish(
        _ message: Message, strategy: Strategy = Strategy(media: [.audio]), on device: Int
    ) throws(NearbyError) -> OperationID {
        try publish(Publication(message, strategy: strategy), on: device)
    }

    /// Publishes a publication. Throws the errors of ``Publication/validate()``.
    @discardableResult
    package mutating func publish(
        _ publication: Publication, on device: Int
    ) throws(NearbyError) -> OperationID {
        let id = devices[device].nextID()
        try execute(.publish(id, publication), on: device)
        return id
    }

    /// Subscribes a device. Throws the errors of ``Subscription/validate()``.
    @discardableResult
    package mutating func subscribe(
        to filter: MessageFilter = .everything, strategy: Strategy = Strategy(media: [.audio]), on device: Int
    ) throws(NearbyError) -> OperationID {
        let id = devices[device].nextID()
        try execute(.subscribe(id, Subscription(filter, strategy: strategy)), on: device)
        return id
    }

    /// Changes a publication's content. Throws `.unknownOperation`.
    package mutating func republish(
        _ id: OperationID, _ message: Message, on device: Int
    ) throws(NearbyError) {
        try execute(.republish(id, message), on: device)
    }

    /// Ends a publication. Throws `.unknownOperation`.
    package mutating func end(_ id: OperationID, on device: Int) throws(NearbyError) {
        try execute(.unpublish(id), on: device)
    }

    private mutating func execute(_ operation: Operation, on device: Int) throws(NearbyError) {
        let time = now
        let actions = try devices[device].change(now: time) { (engine) throws(NearbyError) in
            try engine.execute([operation], now: time)
        }
        switch operation {
        case .unpublish(let id), .unsubscribe(let id): timeline.add(.ended(id), device: device, now: now)
        default: timeline.add(.began(operation), device: device, now: now)
        }
        perform(actions, of: device)
    }

    // MARK: What happens to them

    /// Makes the shared registry reachable or not. Devices with a member's key do not notice.
    package mutating func setRegistry(isReachable: Bool) { isRegistryReachable = isReachable }

    /// Restarts the shared registry: it then knows nobody, and gives everything another name.
    package mutating func restartRegistry(seed: UInt64) {
        registry = RegistryState(random: SplitMix64(seed: seed))
        for device in devices.indices { devices[device].identity = nil }
        strangers = Set(devices.indices)
    }

    /// Sets a loudspeaker's obstacle: another program uses it, it is unplugged, or it must be silent.
    package mutating func setLoudspeaker(_ obstacle: MediumCondition.Obstacle?, of device: Int) {
        let actions = devices[device].setLoudspeaker(obstacle, now: now)
        perform(actions, of: device)
    }

    /// Switches the programmes on or off.
    package mutating func setProgrammes(arePlaying: Bool) { air.areProgrammesPlaying = arePlaying }

    /// Returns the events so far and forgets them, for a simulation of many hours.
    package mutating func takeTimeline() -> [Timeline.Entry] {
        defer { timeline = Timeline() }
        return timeline.entries
    }

    // MARK: Time

    /// Lets time pass.
    package mutating func run(seconds: Double) {
        let end = now + .seconds(seconds)
        while now < end { step() }
    }

    /// Lets time pass until `isOver` is true, at most for so long. Returns its last value.
    package mutating func run(atMostSeconds: Double, until isOver: (Timeline) -> Bool) -> Bool {
        let end = now + .seconds(atMostSeconds)
        while now < end {
            if isOver(timeline) { return true }
            step()
        }
        return isOver(timeline)
    }

    private mutating func step() {
        for device in devices.indices { advance(device) }
        deliverPost()
        let played = devices.indices.map { device in
            let played = devices[device].play(Simulation.blockCount, now: now)
            for _ in 0..<played.sentCount { timeline.add(.sent, device: device, now: now) }
            perform(played.actions, of: device)
            return played.block
        }
        air.step(played, into: &heard)
        now = now + .seconds(Double(Simulation.blockCount) / Air.sampleRateHz)
        for device in devices.indices where !heard[device].isEmpty {
            let (sightings, actions) = devices[device].hear(heard[device], now: now)
            for sighting in sightings where !devices[device].isOwn(sighting) && !sighting.isRenewal {
                timeline.add(.heard(sighting), device: device, now: now)
            }
            perform(actions, of: device)
        }
        moveRadios()
    }

    /// Lets every scanning radio hear the frames that were sent since the last step.
    private mutating func moveRadios() {
        for sender in devices.indices {
            let from = devices[sender].place(atSeconds: seconds)
            for payload in devices[sender].radioFrames(until: now) {
                for listener in devices.indices where listener != sender {
                    let way = devices[listener].place(atSeconds: seconds) - from
                    let meters = (way * way).sum().squareRoot()
                    guard let sighting = devices[listener].hear(payload, fromMeters: meters, now: now) else {
                        continue
                    }
                    timeline.add(.heard(sighting), device: listener, now: now)
                    change(listener) { $0.happened(.sighted(sighting), on: .ble, now: $1) }
                }
            }
        }
    }

    private mutating func advance(_ device: Int) {
        if let events = devices[device].registry?.advance(to: now) {
            change(device) { $0.notified(events, now: $1) }
        }
        guard let deadline = devices[device].engine.nextDeadline, deadline <= now else { return }
        change(device) { $0.advance(to: $1) }
    }

    mutating func change(_ device: Int, _ body: (inout EngineState, Instant) -> [EngineAction]) {
        do {
            let now = now
            perform(
                try devices[device].change(now: now) { (engine) throws(NearbyError) in body(&engine, now) },
                of: device)
        } catch {
            preconditionFailure("only operations are refused: \(error)")
        }
    }

    private mutating func perform(_ actions: [EngineAction], of device: Int) {
        for action in actions {
            switch action {
            case .report(let report): send(report, from: device)
            case .deliver(let event, let id): timeline.add(.event(event, id), device: device, now: now)
            case .assign(let assignment, to: .audio):
                timeline.add(.broadcasts(assignment.broadcast?.token), device: device, now: now)
                timeline.add(.scans(assignment.isScanning), device: device, now: now)
            case .assign: break
            case .operation, .status, .askPermission, .askBeacons: break
            }
        }
    }
}
