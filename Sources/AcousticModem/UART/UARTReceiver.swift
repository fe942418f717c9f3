import Glibc
import Signal

/// A receiver of bursts of bytes. Opposite: ``UARTModulator``.
///
///     ToneCorrelator → ToneWindows → FramingTrellis → BurstTracker → DecodeReport
///      m, s a tenth      a bit at      bytes, idling     burst
///      of a bit          each tenth
///
/// Each burst of bytes is reported once its carrier has ended; nothing is checked, and the gate is the
/// burst's evidence alone.
struct UARTReceiver: FamilyReceiver {
    private let profile: UARTProfile
    private var correlator: ToneCorrelator
    private var windows: ToneWindows
    private var trellis = FramingTrellis()
    private var tracker = BurstTracker()
    private var skippedSamples: Int64 = 0
    private(set) var statistics = ReceiverStatistics()

    init(profile: UARTProfile) {
        self.profile = profile
        correlator = ToneCorrelator(profile: profile)
        windows = ToneWindows(profile: profile)
    }

    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport]) {
        let place = place
        correlator.process(sound.samples) { step in
            guard windows.append(step) else { return }
            trellis.advance(windows) { segment in
                tracker.take(segment, windows) { UARTReceiver.settle($0, place, &statistics, into: &reports) }
            }
        }
    }

    /// The samples of silence after which all earlier sound is read.
    private var trellisFlushSamples: Int {
        Int(Double(2 * FramingTrellis.lag) * correlator.samplesPerStep)
    }

    /// The samples of silence that end a burst: it ends within bytes.
    var flushSamples: Int { 2 * trellisFlushSamples }

    mutating func skip(samples: Int64) { skippedSamples += samples }

    /// Does nothing: this receiver has no scratch worth sharing.
    mutating func exchangeScratch(with other: inout UARTReceiver) {}

    mutating func finish(into reports: inout [DecodeReport]) {
        let silence = [Float](repeating: 0, count: trellisFlushSamples)
        silence.withUnsafeBufferPointer { process(FreshSound(samples: $0), into: &reports) }
        let place = place
        tracker.finish(windows) { UARTReceiver.settle($0, place, &statistics, into: &reports) }
    }

    /// The positions of steps.
    private struct Place {
        let profile: UARTProfile
        let samplesPerStep: Double
        let skippedSamples: Int64
    }

    private var place: Place {
        Place(
            profile: profile, samplesPerStep: correlator.samplesPerStep, skippedSamples: skippedSamples)
    }

    private static func settle(
        _ outcome: BurstTracker.Outcome, _ place: Place, _ statistics: inout ReceiverStatistics,
        into reports: inout [DecodeReport]
    ) {
        statistics.candidates += 1
        switch outcome {
        case .belowEvidence: statistics.belowEvidence += 1
        case .burst(let burst):
            statistics.reports += 1
            reports.append(report(burst, place))
        }
    }

    private static func report(_ burst: [LineSegment], _ place: Place) -> DecodeReport {
        var tones = ToneEvidence()
        var token: [UInt8] = []
        for segment in burst {
            tones += segment.tones
            if case .byte(let byte) = segment.content { token.append(byte) }
        }
        let bitEnergy = Double(CarrierEstimate(tones).bitEnergy(tones))
        let band = place.profile.bandHz
        let snr = bitEnergy * place.profile.baud / (band.upperBound - band.lowerBound)
        let profile = WaveformProfile(place.profile)
        let bits = profile.durationSeconds(tokenByteCount: token.count) * place.profile.baud
        let first = burst.first(where: { $0.isByte })?.startStep ?? 0
        let leader = UARTProfile.leaderBitCount * ToneWindows.stepsPerBit
        return DecodeReport(
            token: token, profile: profile,
            startSample: Double(place.skippedSamples)
                + max(0, Double(first - leader) * place.samplesPerStep),
            snrDecibels: Float(10 * log10(snr)),
            ebN0Decibels: Float(10 * log10(bitEnergy * bits / Double(8 * token.count))),
            speedMetersPerSecond: 0, repeats: 1, lane: 0)
    }
}
