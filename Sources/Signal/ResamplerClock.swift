/// The position in the input of each output sample of a `Resampler`.
///
/// Between whole rates with a small reduced ratio every instant falls on one of few phases, computed in
/// integers. Otherwise there are 256 phases, fewer for a wider filter, and a remainder to interpolate by: (π
/// / 256)² / 8 is −94 dB.
struct ResamplerClock: Sendable {
    /// The input position `sample + (phase + towardsNextPhase) / phaseCount`.
    struct Instant {
        var sample: SamplePosition
        var phase: Int
        /// The distance to the next phase, in [0, 1].
        var towardsNextPhase: Float

        func isAtOrBefore(_ last: SamplePosition) -> Bool {
            sample < last || (sample == last && phase == 0 && towardsNextPhase == 0)
        }
    }

    let phaseCount: Int
    private let step: Step

    private enum Step {
        /// The step in phases: input sample times phaseCount.
        case exact(start: Int64, stride: Int64)
        /// The step in input samples.
        case real(start: Double, stride: Double)
    }

    private static let mostExactPhases = 512.0
    private static let interpolatedPhases = 256.0

    init(fromHz: Double, toHz: Double, startOffsetSamples: Double) {
        precondition(fromHz > 0 && toHz > 0 && fromHz.isFinite && toHz.isFinite, "rates are positive")
        precondition(startOffsetSamples.magnitude < 0x1p40, "the offset is within the input")
        let ratio = fromHz / toHz
        let divisor = ResamplerClock.greatestCommonDivisor(fromHz, toHz)
        let start = startOffsetSamples * toHz / divisor
        if divisor >= 1, toHz / divisor <= ResamplerClock.mostExactPhases, start == start.rounded() {
            phaseCount = Int(toHz / divisor)
            step = .exact(start: Int64(start), stride: Int64(fromHz / divisor))
        } else {
            phaseCount = max(8, Int((ResamplerClock.interpolatedPhases / max(1, ratio)).rounded(.up)))
            step = .real(start: startOffsetSamples, stride: ratio)
        }
    }

    /// Returns the instant of an output sample, always computed from the start: nothing adds up over a long
    /// recording.
    func instant(_ position: SamplePosition) -> Instant {
        switch step {
        case .exact(let start, let stride):
            let ticks = SamplePosition(start + position.index * stride)
            let phase = ticks % phaseCount
            let wrapped = phase < 0 ? phase + phaseCount : phase
            return Instant(sample: (ticks - wrapped) / phaseCount, phase: wrapped, towardsNextPhase: 0)
        case .real(let start, let stride):
            let place = start + Double(position) * stride
            let sample = place.rounded(.down)
            let phases = (place - sample) * Double(phaseCount)
            let phase = phases.rounded(.down)
            return Instant(
                sample: SamplePosition(sample), phase: Int(phase), towardsNextPhase: Float(phases - phase))
        }
    }

    /// Returns the greatest common divisor; 0 unless both are whole numbers of a rate's size.
    private static func greatestCommonDivisor(_ a: Double, _ b: Double) -> Double {
        guard a == a.rounded(), b == b.rounded(), max(a, b) < 0x1p32 else { return 0 }
        var (a, b) = (a, b)
        while b > 0 { (a, b) = (b, a.truncatingRemainder(dividingBy: b)) }
        return a
    }
}
