import Glibc
import Nearby
import Signal

/// The Bluetooth radio of a simulated device. Chance decides for each frame whether it is received. It is a
/// value, deterministic from its seed.
///
///     every 100 ms, for 30 s after a new token; then every 250 ms; and 0 to 10 ms more, by chance
///     heard if the listener's window is open, half of the time, and if what arrives is above −95 dBm
///
/// The received power is ``powerAtOneMeterDBm`` less 20 dB for each tenfold distance, with a fading of 5.6 dB
/// around that, frame by frame. Walls take nothing from it, so that a device is also found from the next
/// room.
package struct SimulatedRadio: Sendable {
    package static let powerAtOneMeterDBm = -59.0
    static let sensitivityDBm = -95.0
    static let fadingDecibels = 5.6
    /// The share of time in which a listener's window is open: 30 of 60 ms.
    static let openShare = 0.5
    /// The interval in which the engine is notified once of the same frame.
    static let tellsEvery = Duration.seconds(1)

    private(set) var assignment = MediumAssignment.idle
    private var random: SplitMix64
    private var freshUntil = Instant.start
    private var nextFrame = Instant.start
    private var lastReported: [Sighting.Payload: Instant] = [:]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func carryOut(_ assignment: MediumAssignment, now: Instant) {
        if assignment.broadcast?.payloads != self.assignment.broadcast?.payloads {
            freshUntil = now + .seconds(30)
            nextFrame = now + .milliseconds(10) * random.nextUnit()
        }
        if !assignment.isScanning { lastReported = [:] }
        self.assignment = assignment
    }

    /// Returns the frames that it sends until then.
    mutating func send(until end: Instant) -> [Sighting.Payload] {
        guard let payloads = assignment.broadcast?.payloads, !payloads.isEmpty else { return [] }
        var frames: [Sighting.Payload] = []
        while nextFrame < end {
            // Each payload is sent for a second, in turn.
            frames.append(payloads[Int(nextFrame.offset.inSeconds) % payloads.count])
            let interval = Duration.milliseconds(nextFrame < freshUntil ? 100 : 250)
            nextFrame = nextFrame + interval + .milliseconds(10) * random.nextUnit()
        }
        return frames
    }

    /// Returns the sighting of another radio's frame; `nil` if it is not received, or is not new.
    mutating func hear(_ payload: Sighting.Payload, fromMeters meters: Double, now: Instant) -> Sighting? {
        guard assignment.isScanning else { return nil }
        let isOpen = random.nextUnit() < SimulatedRadio.openShare
        // The sum of twelve is nearly normal (central limit theorem), with a variance of 1.
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }
        let power =
            SimulatedRadio.powerAtOneMeterDBm - 20 * log10(max(meters, 0.1))
            + SimulatedRadio.fadingDecibels * normal
        guard isOpen, power > SimulatedRadio.sensitivityDBm else { return nil }
        if let last = lastReported[payload], last + SimulatedRadio.tellsEvery > now { return nil }
        lastReported[payload] = now
        return Sighting(payload, on: .ble, signal: .init(rssiDBm: Int(power.rounded())))
    }
}
