import Glibc

/// The signal that is played to measure speaker, room and microphone at 16–22 kHz. Opposite:
/// ``SoundingAnalysis``.
///
///      level      ██                                          ██
///       0 dB      ██                                   ▄▄     ██
///                 ██                            ▄▄     ██     ██
///                 ██                     ▄▄     ██     ██     ██
///        quiet    ██     −30 dB  ▁▁      −20    −12    −6     0 dB   quiet
///     ├──────────┼──────────────┼──────┼──────┼──────┼──────┼──────────┤
///     0         0.75           1.60   2.45   3.30   4.15   5.00       6.0 s
///
/// It plays the same `Sweep` six times, one every ``periodSeconds``, each at its level. The two loudest
/// stand at the ends: they show where the sounding is and how fast its clock runs. Between them the levels
/// rise, so that a room's reverberation of one never hides the next; at each frequency's place in the sweep
/// it has had a whole period to decay.
public struct SoundingSignal: Sendable {
    /// The levels of the sweeps over ``peak``, in the order they are played.
    package static let levelsDecibels: [Double] = [0, -30, -20, -12, -6, 0]
    /// The peak of the loudest sweeps. It is a little under full scale, so that a sample at full scale must
    /// be the recorder's clipping.
    public static let peak = 0.999
    /// The quiet before the first sweep: the device plays silence, in which the noise is measured.
    package static let quietSeconds = 0.75
    /// The time from one sweep's start to the next one's.
    public static let periodSeconds = 0.85
    /// The length of the whole signal, the quiet at both ends included.
    public static let durationSeconds = 6.0

    /// The time from the first sweep's start to the last one's.
    static let spanSeconds = Double(levelsDecibels.count - 1) * periodSeconds

    /// The rate at which ``samples`` are to be played.
    public let sampleRateHz: Double

    /// - Precondition: one of ``SoundingAnalysis/sampleRatesHz``.
    public init(sampleRateHz: Double = 48_000) {
        precondition(SoundingAnalysis.sampleRatesHz.contains(sampleRateHz), "the rate holds the band")
        self.sampleRateHz = sampleRateHz
    }

    /// The samples. Shape: `[durationSeconds · sampleRateHz]`, peak ``peak``.
    public var samples: [Float] {
        let sweep = Sweep(sampleRateHz: sampleRateHz).samples
        var samples = [Float](
            repeating: 0, count: Int((SoundingSignal.durationSeconds * sampleRateHz).rounded()))
        for (index, level) in SoundingSignal.levelsDecibels.enumerated() {
            let seconds = SoundingSignal.quietSeconds + Double(index) * SoundingSignal.periodSeconds
            let start = Int((seconds * sampleRateHz).rounded())
            let gain = Float(SoundingSignal.amplitude(ofLevel: level))
            for i in sweep.indices { samples[start + i] = gain * sweep[i] }
        }
        return samples
    }

    /// Returns the peak of a sweep.
    static func amplitude(ofLevel decibels: Double) -> Double { peak * pow(10, decibels / 20) }
}
