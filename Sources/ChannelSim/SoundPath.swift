import Glibc
import Signal

/// One sender's way to the microphone: clock, motion, what speaker and microphone make of the band, and a room.
///
///     transmission ─ clock, motion, sample rate ─ response ─ measured: this is 0 dB ─ room ─ ``Arrival``
public struct SoundPath: Sendable, Hashable {
    /// What walls do to sound on its way.
    public enum Room: Sendable, Hashable {
        /// Open air: the direct sound alone.
        case none
        /// Static: the whole sound is warped alike. ``ReverberantRoom``
        case diffuse(rt60Seconds: Double, drrDecibels: Double)
        /// The sender walks: a Doppler for every reflection. ``MovingRoom``
        case walkedThrough(rt60Seconds: Double, drrDecibels: Double)
        /// Another room and other places for every seed. ``ShoeboxRoom``
        case shoebox(rt60Seconds: Double, pistonRadiusMeters: Double)
        /// Another place for every seed; the whole sound is warped alike.
        case measured(MeasuredRoom)
    }

    /// Positive approaches.
    public var speedMetersPerSecond = 0.0
    /// Positive is a fast speaker.
    public var clockSkewPPM = 0.0
    /// The room: it acts last, on what levels are measured of.
    public var room = Room.none
    /// What speaker and microphone make of the band, before levels are measured.
    public var response = TransducerResponse()

    /// The middle of the band that a room which is walked through lets pass.
    public var centreHz = SoundPath.usualCentreHz

    /// The centre of the near-ultrasonic band.
    public static let usualCentreHz = 19_200.0

    /// Changes nothing but the beginning, by less than a sample: at rest, clocks alike, flat, open air.
    public init() {}

    /// Shape: `[n]` at `fromHz` → what arrives, at `toHz`. Nil when `samples` are silent: there is nothing to set
    /// levels against.
    public func arrival(of samples: [Float], fromHz: Double, toHz: Double, seed: UInt64) -> Arrival? {
        var random = SplitMix64(seed: seed)
        var sent = warp.apply(to: samples, fromHz: fromHz, toHz: toHz, delaySamples: random.nextUnit())
        if response != TransducerResponse() { sent = response.apply(to: sent, sampleRateHz: toHz) }
        guard let onAir = OnAirMeasurement(sent, sampleRateHz: toHz) else { return nil }
        var arrival = Arrival(samples: sent, onAir: onAir)
        let seed = random.next()
        switch room {
        case .none: break
        case .diffuse(let rt60, let drr):
            arrival.samples = ReverberantRoom(
                rt60Seconds: rt60, drrDecibels: drr, sampleRateHz: toHz, seed: seed
            ).apply(to: sent)
        case .walkedThrough(let rt60, let drr):
            arrival.samples = MovingRoom(
                rt60Seconds: rt60, drrDecibels: drr, speedMetersPerSecond: speedMetersPerSecond,
                centreHz: centreHz, seed: seed
            ).apply(to: sent, sampleRateHz: toHz)
        case .shoebox(let rt60, let pistonRadius):
            let room = ShoeboxRoom(
                rt60Seconds: rt60, pistonRadiusMeters: pistonRadius, sampleRateHz: toHz, seed: seed)
            arrival.samples = room.apply(to: sent)
            arrival.directDelaySeconds = room.directDelaySeconds
        case .measured(let room):
            arrival.samples = room.apply(to: sent, sampleRateHz: toHz, seed: seed)
        }
        return arrival
    }

    /// What all paths have in common: a room that is walked through moves each by itself.
    private var warp: TimeWarp {
        if case .walkedThrough = room {
            return TimeWarp(speedMetersPerSecond: 0, clockSkewPPM: clockSkewPPM)
        }
        return TimeWarp(speedMetersPerSecond: speedMetersPerSecond, clockSkewPPM: clockSkewPPM)
    }
}
