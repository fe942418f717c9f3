import Signal

/// Takes out of a band what would hide a frame and is none: tones and combs of lines, then a foreign sender. Bangs are out already,
/// by ``FrontEnd``.
///
///     limited ─ ToneExciser ─┬─────────────────┬─ EnvelopeCanceller ─▶ search
///                            └─ SteadyTones ───┘
///                               FSK alone: its own tones must stay
///
/// Where none of it sounds the output is the input, sample for sample. Shapes: in `[n]` → out `[≈ n]`, the same positions.
struct BandGuard: Sendable {
    private var exciser: ToneExciser
    private var steadyTones: SteadyTones?
    private var canceller: EnvelopeCanceller
    private var withoutLines: [Complex] = []
    private var withoutTones: [Complex] = []

    /// - Parameter plan: of the tones that frames are made of; nil: of chips.
    init(_ band: Band, plan: TonePlan? = nil) {
        exciser = ToneExciser(band: band, takesBriefTones: plan == nil)
        steadyTones = plan.map(SteadyTones.init)
        canceller = EnvelopeCanceller(band: band)
    }

    /// Samples of silence after which all that came before is out.
    var flushSamples: Int {
        exciser.blockCount + (steadyTones?.flushCount ?? 0) + canceller.delaySamples
    }

    mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        withoutLines.removeAll(keepingCapacity: true)
        exciser.process(input, into: &withoutLines)
        guard steadyTones != nil else { return canceller.process(withoutLines[...], into: &output) }
        withoutTones.removeAll(keepingCapacity: true)
        steadyTones!.process(withoutLines[...], into: &withoutTones)
        canceller.process(withoutTones[...], into: &output)
    }

    /// Takes note of frames that were heard: one that is a good part of all that sounds is no foreign sender.
    mutating func noteHeard(_ reports: ArraySlice<DecodeReport>) {
        let isLoud = reports.contains { $0.snrDecibels > EnvelopeCanceller.loudDecibels }
        if isLoud { canceller.heardLoudFrame() }
    }
}
