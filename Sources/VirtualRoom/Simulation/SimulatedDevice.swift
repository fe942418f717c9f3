import AudioMedium
import Nearby
import Signal

/// A phone or a box: engine, modem, loudspeaker and microphone. It takes time and sound, and returns its
/// actions.
struct SimulatedDevice: Sendable {
    let name: String
    private(set) var engine: EngineState
    private var speaker: TokenTransmitter
    private var microphone: TokenReceiver
    private let settings: AudioMediumSettings
    private let route: Route
    private var radio: SimulatedRadio?
    private var assignment = MediumAssignment.idle
    private var condition: MediumCondition
    private var lastNumber: UInt64 = 0

    /// The shared registry's identifier of the device; `nil` before the device's first report.
    var identity: RegistryState.DeviceID?
    /// The device's own registry, in place of the shared one; `nil` if it uses the shared one.
    var registry: OfflineRegistryDriver?

    init(_ device: Simulation.Device, settings: AudioMediumSettings, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (member, air) = (device.member, device.air)
        self.settings = settings
        (name, route) = (device.name, air.route)
        engine = EngineState(
            permission: .granted, settings: device.settings, takesFrames: member != nil,
            random: SplitMix64(seed: random.next()))
        speaker = TokenTransmitter(settings, sampleRateHz: Air.sampleRateHz, seed: random.next())
        microphone = TokenReceiver(settings, sampleRateHz: Air.sampleRateHz)
        condition = MediumCondition(
            broadcast: air.loudspeaker == nil ? .missing : nil,
            scan: air.microphone == nil ? .missing : nil, profiles: settings.profiles)
        _ = engine.happened(.condition(condition), on: .audio, now: .start)
        registry = member.map { OfflineRegistryDriver($0, seed: random.next()) }
    }

    mutating func addRadio(seed: UInt64) {
        radio = SimulatedRadio(seed: seed)
        _ = engine.happened(.condition(.ready), on: .ble, now: .start)
    }

    func place(atSeconds seconds: Double) -> SIMD3<Double> { route.place(atSeconds: seconds) }

    mutating func radioFrames(until end: Instant) -> [Sighting.Payload] { radio?.send(until: end) ?? [] }

    mutating func hear(_ payload: Sighting.Payload, fromMeters meters: Double, now: Instant) -> Sighting? {
        radio?.hear(payload, fromMeters: meters, now: now)
    }

    mutating func nextID() -> OperationID {
        lastNumber += 1
        return OperationID(lastNumber)
    }

    /// Carries out the actions that concern the media; returns all actions.
    private mutating func perform(_ actions: [EngineAction], now: Instant) -> [EngineAction] {
        for case .assign(let assignment, to: .ble) in actions { radio?.carryOut(assignment, now: now) }
        for case .assign(let assignment, to: .audio) in actions {
            if !assignment.isScanning { microphone = TokenReceiver(settings, sampleRateHz: Air.sampleRateHz) }
            self.assignment = assignment
            speak()
        }
        return actions
    }

    private mutating func speak() {
        speaker.carryOut(condition.broadcast == nil ? assignment.broadcast : nil)
    }

    /// Sets or removes the loudspeaker's obstacle.
    mutating func setLoudspeaker(_ obstacle: MediumCondition.Obstacle?, now: Instant) -> [EngineAction] {
        condition.broadcast = obstacle
        speak()
        return perform(engine.happened(.condition(condition), on: .audio, now: now), now: now)
    }

    /// The result of ``play(_:now:)``: the loudspeaker's next block, `nil` if it is silent, and the number of
    /// frames that ended in it.
    struct Played {
        var block: [Float]?
        var sentCount = 0
        var actions: [EngineAction] = []
    }

    mutating func play(_ count: Int, now: Instant) -> Played {
        guard !speaker.isSilent else { return Played() }
        let isBusy = assignment.isScanning && microphone.isBusy
        var events: [MediumEvent] = []
        let block = [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            let samples = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            samples.initialize(repeating: 0)
            events = speaker.fill(samples, isBusy: isBusy)
            filled = count
        }
        let actions = events.flatMap { engine.happened($0, on: .audio, now: now) }
        return Played(
            block: block.contains { $0 != 0 } ? block : nil, sentCount: events.count { $0 == .sent },
            actions: perform(actions, now: now))
    }

    /// Takes the microphone's next block.
    mutating func hear(_ block: [Float], now: Instant) -> (heard: [Sighting], actions: [EngineAction]) {
        guard assignment.isScanning else { return ([], []) }
        let heard = block.withUnsafeBufferPointer { microphone.hear($0) }
        return (
            heard, perform(heard.flatMap { engine.happened(.sighted($0), on: .audio, now: now) }, now: now)
        )
    }

    /// Returns true if the device has heard itself.
    func isOwn(_ sighting: Sighting) -> Bool {
        assignment.broadcast?.payloads.contains(sighting.payload) ?? false
    }

    /// Changes the engine, and carries out the actions that follow.
    mutating func change(
        now: Instant, _ body: (inout EngineState) throws(NearbyError) -> [EngineAction]
    ) throws(NearbyError) -> [EngineAction] {
        perform(try body(&engine), now: now)
    }
}
