import AudioMedium
import Nearby
import Signal

/// A phone, a box: engine, modem, loudspeaker and microphone. Time and sound come in, what it does goes out.
struct SimulatedDevice: Sendable {
    let name: String
    private(set) var engine: EngineState
    private var speaker: TokenSpeaker
    private var ear: TokenEar
    private let settings: AudioMediumSettings
    private var assignment = MediumAssignment.idle
    private var lastNumber: UInt64 = 0

    /// Out of which the registry's answers and reports go: nil before the first report.
    var identity: RegistryState.DeviceID?
    /// In the place of the registry that all others share.
    var desk: OfflineDesk?

    init(
        name: String, _ device: AirDevice, _ member: OfflineMember?, settings: AudioMediumSettings,
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        self.name = name
        self.settings = settings
        engine = EngineState(
            permission: .granted, takesFrames: member != nil, random: SplitMix64(seed: random.next()))
        speaker = TokenSpeaker(settings, sampleRateHz: Air.sampleRateHz, seed: random.next())
        ear = TokenEar(settings, sampleRateHz: Air.sampleRateHz)
        let condition = MediumCondition(
            broadcast: device.loudspeaker == nil ? .missing : nil,
            scan: device.microphone == nil ? .missing : nil, profiles: settings.profiles)
        _ = engine.happened(.condition(condition), on: .audio, now: .start)
        desk = member.map { OfflineDesk($0, seed: random.next()) }
    }

    mutating func nextID() -> OperationID {
        lastNumber += 1
        return OperationID(lastNumber)
    }

    /// Does what the engine wants of the medium; returns all that it wants.
    private mutating func perform(_ actions: [EngineAction]) -> [EngineAction] {
        for case .assign(let assignment, to: .audio) in actions {
            if !assignment.isScanning { ear = TokenEar(settings, sampleRateHz: Air.sampleRateHz) }
            speaker.carryOut(assignment.broadcast)
            self.assignment = assignment
        }
        return actions
    }

    /// What ``play(_:now:)`` made: the loudspeaker's next block, nil when it is silent, and how many frames ended in it.
    struct Played {
        var block: [Float]?
        var sentCount = 0
        var actions: [EngineAction] = []
    }

    mutating func play(_ count: Int, now: Instant) -> Played {
        guard !speaker.isSilent else { return Played() }
        let isBusy = assignment.isScanning && ear.isBusy
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
            actions: perform(actions))
    }

    /// The next block of the microphone.
    mutating func hear(_ block: [Float], now: Instant) -> (heard: [Sighting], actions: [EngineAction]) {
        guard assignment.isScanning else { return ([], []) }
        let heard = block.withUnsafeBufferPointer { ear.hear($0) }
        return (heard, perform(heard.flatMap { engine.happened(.sighted($0), on: .audio, now: now) }))
    }

    /// It hears itself.
    func isOwn(_ sighting: Sighting) -> Bool {
        assignment.broadcast?.payloads.contains(sighting.payload) ?? false
    }

    /// Something happens to the engine.
    mutating func change(
        _ body: (inout EngineState) throws(NearbyError) -> [EngineAction]
    ) throws(NearbyError) -> [EngineAction] {
        perform(try body(&engine))
    }
}
