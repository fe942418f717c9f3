import Glibc
import Signal

/// A simulated way from speakers to a microphone, with everything on it that was asked for, in this order:
///
///     transmission ─ path ─┐
///     transmission ─ path ─┴ silence around ─ surroundings: programme, tone, clicks, noise ─ capture
///
/// Deterministic: the same seed gives the same rooms and the same noise. Levels are set against the first transmission
/// as it arrives on average over rooms; see ``ChannelReport`` for what became of them.
public struct Channel: Sendable {
    /// A transmission in the recording.
    public struct Placement: Sendable {
        /// What the way made of it; at the recording's rate.
        public var arrival: Arrival
        /// After the lead.
        public var startSeconds: Double
        /// On top of the loudness it arrived with. The level that the surroundings are set against does not follow it.
        public var gainDecibels: Double

        /// By default right after the lead, as loud as it arrived.
        public init(_ arrival: Arrival, startSeconds: Double = 0, gainDecibels: Double = 0) {
            self.arrival = arrival
            self.startSeconds = startSeconds
            self.gainDecibels = gainDecibels
        }
    }

    /// What ``apply(to:fromHz:seed:)`` sends through; placements have come through paths of their own.
    public var path = SoundPath()
    /// Added to all that arrives, the silence around it included.
    public var surroundings = Surroundings()
    /// What the recording device does to the whole.
    public var capture = Capture()
    /// Silence before the first transmission; surroundings sound there, too.
    public var leadSeconds = 0.0
    /// Silence after the last arrival has died away; surroundings sound there, too.
    public var trailSeconds = 0.0
    /// Payload bits the whole transmission carries.
    public var bitCount = 64
    /// Of the recording.
    public var sampleRateHz = 48_000.0

    /// Changes nothing but the beginning, by less than a sample: open air, no surroundings, a perfect recorder, 48 kHz.
    public init() {}

    /// Shape: `[n]` at `fromHz` → the recording at `sampleRateHz`, as loud as it arrived. Nil when `samples` are
    /// silent: there is nothing to set levels against.
    public func apply(
        to samples: [Float], fromHz: Double, seed: UInt64
    ) -> (recording: [Float], report: ChannelReport)? {
        var random = SplitMix64(seed: seed)
        guard
            let arrival = path.arrival(of: samples, fromHz: fromHz, toHz: sampleRateHz, seed: random.next())
        else { return nil }
        return record([Placement(arrival)], seed: random.next())
    }

    /// Several transmissions, each through a path of its own; all arrived at `sampleRateHz`.
    ///
    /// - Precondition: at least one.
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
