import Signal

/// Samples → tokens. Opposite: ``Transmitter``.
///
/// Streaming: chunks of any size give the same reports as one long chunk; memory does not grow. A value: a copy made
/// midstream goes on by itself.
public struct Receiver: Sendable {
    /// What ``process(_:)`` expects.
    public static let sampleRateHz = BandDecimator.inputRateHz

    private var families: [any FamilyReceiver] = []
    private var samplesProcessed = 0

    /// - Parameters:
    ///   - profiles: what to listen for; each costs its own search.
    ///   - observer: is told what becomes of every candidate.
    public init(
        profiles: [WaveformProfile] = WaveformProfile.nearby, observer: (any ReceiverObserver)? = nil
    ) {
        var dsss: [DSSSProfile] = []
        var fsk: [TonePlan: [FSKProfile]] = [:]
        var ggwave: [GGWaveProfile] = []
        for profile in profiles {
            switch profile.kind {
            case .dsss(let profile): dsss.append(profile)
            case .fsk(let profile): fsk[profile.tones, default: []].append(profile)
            case .ggwave(let profile): ggwave.append(profile)
            case .uart(let profile): families.append(UARTReceiver(profile: profile))
            }
        }
        if !dsss.isEmpty { families.append(DSSSBand(profiles: dsss, observer: observer)) }
        for plan in TonePlan.all {
            guard let profiles = fsk[plan] else { continue }
            families.append(FSKBand(plan: plan, profiles: profiles, observer: observer))
        }
        families += GGWaveReceiver.receivers(of: ggwave)
    }

    /// Takes the next 48 kHz mono samples, nominally within ±1. Returns the frames settled by now: DSSS frames that
    /// stand 3 dB over the noise before them within 0.1 s of their end, other DSSS frames a second or so after it, FSK
    /// frames four or five.
    public mutating func process(_ samples: UnsafeBufferPointer<Float>) -> [DecodeReport] {
        samplesProcessed += samples.count
        var reports: [DecodeReport] = []
        for index in families.indices { families[index].process(samples, into: &reports) }
        return reports
    }

    public mutating func process(_ samples: [Float]) -> [DecodeReport] {
        samples.withUnsafeBufferPointer { process($0) }
    }

    /// The end of the recording: what silence after it would bring out.
    public mutating func finish() -> [DecodeReport] {
        var reports: [DecodeReport] = []
        for index in families.indices { families[index].finish(into: &reports) }
        return reports
    }

    /// Counters of each stage, over all profiles.
    public var statistics: ReceiverStatistics {
        var total = ReceiverStatistics()
        for family in families { total.add(family.statistics) }
        total.samples = samplesProcessed
        return total
    }
}
