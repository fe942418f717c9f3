import Glibc
import Signal

/// The path of one sender's sound to the microphone: clock, motion, the response of speaker and microphone,
/// the speaker's distortion, and a room.
///
///     transmission ─ clock, motion, rate ─ response, distortion ─ measured, as 0 dB ─ room ─ ``Arrival``
public struct SoundPath: Sendable, Hashable {
    /// The effect of walls on the sound.
    public enum Room: Sendable, Hashable {
        /// Open air: only the direct sound.
        case none
        /// A static room, ``ReverberantRoom``: the whole sound is warped alike.
        case diffuse(rt60Seconds: Double, drrDecibels: Double)
        /// A room through which the sender walks, ``MovingRoom``: every reflection has its own Doppler.
        case walkedThrough(rt60Seconds: Double, drrDecibels: Double)
        /// A ``ShoeboxRoom``: another room and other places for every seed.
        case shoebox(rt60Seconds: Double, pistonRadiusMeters: Double)
        /// A measured room: another place for every seed; the whole sound is warped alike.
        case measured(MeasuredRoom)
    }

    /// The speed of the sender; positive approaches.
    public var speedMetersPerSecond = 0.0
    /// The clock skew of the speaker; positive is fast.
    public var clockSkewPPM = 0.0
    /// The room. It acts last, after the levels are measured.
    public var room = Room.none
    /// The response of speaker and microphone over the band, before levels are measured.
    public var response = TransducerResponse()
    /// The speaker's distortion, which follows the response.
    public var distortion = SpeakerDistortion()

    /// The middle of the band that a room through which the sender walks lets pass.
    public var centreHz = SoundPath.usualCentreHz

    /// The centre of the near-ultrasonic band.
    public static let usualCentreHz = 19_200.0

    /// Creates a path that changes only the beginning, by less than a sample: at rest, clocks alike, flat,
    /// open air.
    public init() {}

    /// Returns the sound that arrives; `nil` if `samples` are silent, since no level can be set against
    /// silence. Shape: `[n]` at `fromHz` → the arrival at `toHz`.
    ///
    /// - Parameter microphone: the microphone, from 0 on. Each hears the same direct sound in a diffuse field
    ///   of its own, which is right for more than 2 cm from one to another; shoebox and measured rooms
    ///   have another place for each.
    public func arrival(
        of samples: [Float], fromHz: Double, toHz: Double, seed: UInt64, microphone: Int = 0
    ) -> Arrival? {
        var random = SplitMix64(seed: seed)
        var sent = warp.apply(to: samples, fromHz: fromHz, toHz: toHz, delaySamples: random.nextUnit())
        if response != TransducerResponse() { sent = response.apply(to: sent, sampleRateHz: toHz) }
        sent = distortion.apply(to: sent)
        guard let onAir = OnAirMeasurement(sent, sampleRateHz: toHz) else { return nil }
        var arrival = Arrival(samples: sent, onAir: onAir)
        var seed = random.next()
        for _ in 0..<microphone { seed = random.next() }
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

    /// The warp that all paths share: in a room that is walked through, each path moves by itself.
    private var warp: TimeWarp {
        if case .walkedThrough = room {
            return TimeWarp(speedMetersPerSecond: 0, clockSkewPPM: clockSkewPPM)
        }
        return TimeWarp(speedMetersPerSecond: speedMetersPerSecond, clockSkewPPM: clockSkewPPM)
    }
}
