import AudioMedium
import Nearby
import Signal

@testable import NearbyOffline

/// Devices in one room, each with engine, loudspeaker and microphone, and with no registry but its own. The
/// frames are `dsss` waveforms, mixed with white noise, in steps of 50 ms.
///
///     EngineState ⇄ TokenTransmitter, TokenReceiver ⇄ sum of all + noise
///          ⇅ at once
///     OfflineState
struct SoundRoom {
    struct Member {
        var engine: EngineState
        var registry: OfflineState
        var speaker: TokenTransmitter
        var receiver = TokenReceiver(sampleRateHz: SoundRoom.rateHz)
        var assignment = MediumAssignment.idle
        var isHere = true
        /// The wall clock's error.
        var skew: Duration
        var events: [(seconds: Double, text: String)] = []
        var lastNumber: UInt64 = 0
        var sentCount = 0
    }

    static let rateHz = 48_000.0
    private static let step = 2400

    var members: [Member] = []
    private(set) var now = Instant.start
    private var random: SplitMix64
    private let noise: Float
    /// The wall clock's time, a little before an epoch ends.
    private let wall = Duration.seconds(Int64(OfflineDevice.epoch) * 300 + 270)

    /// - Parameter snrDecibels: the ratio of a frame's peak amplitude to the noise of 0 to 24 kHz.
    init(seed: UInt64, snrDecibels: Double) {
        random = SplitMix64(seed: seed)
        var gain = 1.0
        // A factor of ten is 20 dB; whole and half ones are enough.
        for _ in 0..<Int(snrDecibels / 20 * 4) { gain *= 0.562341325 }
        noise = Float(gain)
    }

    var seconds: Double { now.offset.inSeconds }

    mutating func join(
        signer: PublisherKey? = nil, trust: OfflineTrust = .members, skew: Duration = .zero
    ) -> Int {
        let registry = OfflineState(
            OfflineDevice.project, signer: signer, trust: trust, random: SplitMix64(seed: random.next()))
        members.append(
            Member(
                engine: EngineState(
                    permission: .granted, takesFrames: true, random: SplitMix64(seed: random.next())),
                registry: registry,
                speaker: TokenTransmitter(
                    AudioMediumSettings(levelDBFS: 0), sampleRateHz: SoundRoom.rateHz, seed: random.next()),
                skew: skew))
        let one = members.count - 1
        perform(members[one].engine.happened(.condition(.ready), on: .audio, now: now), one)
        return one
    }

    mutating func execute(_ one: Int, _ operation: (OperationID) -> Nearby.Operation) throws {
        members[one].lastNumber += 1
        let id = OperationID(members[one].lastNumber)
        perform(try members[one].engine.execute([operation(id)], now: now), one)
    }

    /// Returns the time of a device's first event with this text; `nil` if there is none.
    func time(of text: String, _ one: Int) -> Double? {
        members[one].events.first { $0.text == text }?.seconds
    }

    mutating func run(seconds: Double, until isOver: (SoundRoom) -> Bool = { _ in false }) {
        let end = now + .seconds(seconds)
        while now < end, !isOver(self) {
            advance()
        }
    }

    private mutating func advance() {
        for one in members.indices {
            if let deadline = members[one].engine.nextDeadline, deadline <= now {
                perform(members[one].engine.advance(to: now), one)
            }
            if let deadline = members[one].registry.nextDeadline, deadline <= now {
                let events = members[one].registry.advance(to: time(one))
                perform(members[one].engine.notified(events, now: now), one)
            }
        }
        var air = (0..<SoundRoom.step).map { _ in noise * gaussian() }
        for one in members.indices { play(one, into: &air) }
        now = now + .milliseconds(50)
        for one in members.indices where members[one].assignment.isScanning && members[one].isHere {
            let heard = air.withUnsafeBufferPointer { members[one].receiver.hear($0) }
            for sighting in heard {
                perform(members[one].engine.happened(.sighted(sighting), on: .audio, now: now), one)
            }
        }
    }

    private mutating func play(_ one: Int, into air: inout [Float]) {
        guard !members[one].speaker.isSilent else { return }
        var block = [Float](repeating: 0, count: SoundRoom.step)
        let isBusy = members[one].assignment.isScanning && members[one].receiver.isBusy
        let events = block.withUnsafeMutableBufferPointer { members[one].speaker.fill($0, isBusy: isBusy) }
        members[one].sentCount += events.count
        if members[one].isHere { for n in air.indices { air[n] += block[n] } }
        for event in events { perform(members[one].engine.happened(event, on: .audio, now: now), one) }
    }

    private func time(_ one: Int) -> OfflineTime {
        OfflineTime(now: now, wall: wall + now.offset + members[one].skew)
    }

    private mutating func perform(_ actions: [EngineAction], _ one: Int) {
        for action in actions {
            switch action {
            case .assign(let assignment, _):
                members[one].speaker.carryOut(assignment.broadcast)
                members[one].assignment = assignment
            case .report(let report): answer(report, one)
            case .deliver(let event, _): note(event, one)
            case .operation, .status, .askPermission, .askBeacons: break
            }
        }
    }

    private mutating func answer(_ report: Report, _ one: Int) {
        do {
            let (answer, events) = try members[one].registry.report(report, at: time(one))
            perform(members[one].engine.answered(answer, now: now), one)
            perform(members[one].engine.notified(events, now: now), one)
        } catch {
            perform(members[one].engine.failed(error, now: now), one)
        }
    }

    private mutating func note(_ event: SubscriptionEvent, _ one: Int) {
        let text =
            switch event {
            case .found(let it): "found \(it.message.text)"
            case .updated(let it): "updated \(it.message.text)"
            case .lost(let it): "lost \(it.message.text)"
            case .heardBytes, .expired: "else"
            }
        members[one].events.append((seconds, text))
    }

    /// Returns a Gaussian number of variance 1, as the sum of twelve uniform ones.
    private mutating func gaussian() -> Float {
        (0..<12).reduce(-6) { sum, _ in sum + Float(random.nextUnit()) }
    }
}
