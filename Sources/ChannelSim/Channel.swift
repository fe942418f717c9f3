import Glibc
import Signal

/// A simulated channel from speakers to a microphone, with the requested impairments in this order:
///
///     transmission ─ path ─┐
///     transmission ─ path ─┴ silence around ─ surroundings: programme, tone, clicks, noise ─ capture
///
/// It is deterministic: the same seed gives the same rooms and the same noise. Levels are set against the
/// first transmission as it arrives on average over rooms; ``ChannelReport`` holds the resulting levels.
public struct Channel: Sendable {
    /// A transmission in the recording.
    public struct Placement: Sendable {
        /// The transmission as it arrived through its path, at the recording's rate.
        public var arrival: Arrival
        /// The start in seconds after the lead.
        public var startSeconds: Double
        /// A gain on top of the loudness with which it arrived. The level that the surroundings are set
        /// against does not follow it.
        public var gainDecibels: Double

        /// Creates a placement; by default it stands right after the lead, as loud as it arrived.
        public init(_ arrival: Arrival, startSeconds: Double = 0, gainDecibels: Double = 0) {
            self.arrival = arrival
            self.startSeconds = startSeconds
            self.gainDecibels = gainDecibels
        }
    }

    /// The path through which ``apply(to:fromHz:seed:)`` sends; placements have come through paths of their
    /// own.
    public var path = SoundPath()
    /// The surroundings, added to all that arrives, the silence around it included.
    public var surroundings = Surroundings()
    /// The effect of the recording device on the whole.
    public var capture = Capture()
    /// The silence before the first transmission; surroundings sound there, too.
    public var leadSeconds = 0.0
    /// The silence after the last arrival has died away; surroundings sound there, too.
    public var trailSeconds = 0.0
    /// The number of payload bits that the whole transmission carries.
    public var bitCount = 64
    /// The sample rate of the recording.
    public var sampleRateHz = 48_000.0

    /// Creates a channel that changes only the beginning, by less than a sample: open air, no surroundings, a
    /// perfect recorder, 48 kHz.
    public init() {}

    /// Returns the recording, as loud as it arrived; `nil` if `samples` are silent, since no level can be set
    /// against silence. Shape: `[n]` at `fromHz` → the recording at `sampleRateHz`.
    public func apply(
        to samples: [Float], fromHz: Double, seed: UInt64
    ) -> (recording: [Float], report: ChannelReport)? {
        var random = SplitMix64(seed: seed)
        guard
            let arrival = path.arrival(of: samples, fromHz: fromHz, toHz: sampleRateHz, seed: random.next())
        else { return nil }
        return record([Placement(arrival)], seed: random.next())
    }

    /// Records several transmissions, each through a path of its own; all have arrived at `sampleRateHz`.
    ///
    /// - Precondition: at least one placement.
    public func record(
        _ placements: [Placement], seed: UInt64
    ) -> (recording: [Float], report: ChannelReport) {
        let first = placements[0]
        var random = SplitMix64(seed: seed)
        var recording = laidOut(placements)
        let noise = surroundings.add(
            to: &recording, measuredBy: first.arrival.onAir, bitCount: bitCount, sampleRateHz: sampleRateHz,
            seed: random.next())
        capture.apply(
            to: &recording, startSeconds: leadSeconds + first.startSeconds + first.arrival.directDelaySeconds,
            durationSeconds: first.arrival.onAir.durationSeconds, sampleRateHz: sampleRateHz,
            seed: random.next())
        let report = ChannelReport(
            onAir: first.arrival.onAir, bitCount: bitCount, noise: noise,
            roomGainDecibels: first.arrival.roomGainDecibels)
        return (recording, report)
    }

    private func laidOut(_ placements: [Placement]) -> [Float] {
        func samples(_ seconds: Double) -> Int { Int((seconds * sampleRateHz).rounded()) }
        let starts = placements.map { samples(leadSeconds) + samples($0.startSeconds) }
        let end = zip(starts, placements).map { $0 + $1.arrival.samples.count }.max() ?? 0
        var recording = [Float](repeating: 0, count: end + samples(trailSeconds))
        for (start, placement) in zip(starts, placements) {
            let gain = Float(pow(10, placement.gainDecibels / 20))
            for (i, x) in placement.arrival.samples.enumerated() { recording[start + i] += gain * x }
        }
        return recording
    }
}
