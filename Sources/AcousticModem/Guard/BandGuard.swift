import Signal

/// A filter that removes sound that would hide a frame: tones and combs of lines, then a foreign sender.
/// ``FrontEnd`` has removed bangs already.
///
///     limited ─ ToneFinder ─┬────────────────────┬─ EnvelopeCanceller ─▶ search
///                           └─ SteadyToneFinder ─┘
///                              FSK alone: its own tones must stay
///
/// Where none of these sounds, the output is the input, sample for sample. Shapes: in `[n]` → out `[≈ n]`,
/// the same positions.
struct BandGuard: Sendable {
    private var tones: BlockSubtractor<ToneFinder>
    private var steadyTones: BlockSubtractor<SteadyToneFinder>?
    private var canceller: EnvelopeCanceller
    private var withoutLines: [Complex] = []
    private var withoutTones: [Complex] = []

    /// - Parameter plan: the plan of the tones that frames are made of; `nil` if frames are made of chips.
    init(_ band: Band, plan: TonePlan? = nil) {
        tones = BlockSubtractor(ToneFinder(band: band, takesBriefTones: plan == nil))
        steadyTones = plan.map { BlockSubtractor(SteadyToneFinder(plan: $0)) }
        canceller = EnvelopeCanceller(band: band)
    }

    /// The samples of silence after which all earlier input is out.
    var flushSamples: Int {
        tones.blockCount + 2 * (steadyTones?.blockCount ?? 0) + canceller.delaySamples
    }

    mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        withoutLines.removeAll(keepingCapacity: true)
        tones.process(input, into: &withoutLines)
        guard steadyTones != nil else { return canceller.process(withoutLines[...], into: &output) }
        withoutTones.removeAll(keepingCapacity: true)
        steadyTones!.process(withoutLines[...], into: &withoutTones)
        canceller.process(withoutTones[...], into: &output)
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout BandGuard) {
        tones.exchangeScratch(with: &other.tones)
        if steadyTones != nil { steadyTones!.exchangeScratch(with: &other.steadyTones!) }
        swap(&withoutLines, &other.withoutLines)
        swap(&withoutTones, &other.withoutTones)
    }

    /// Notes frames that were heard: a frame that is a good part of all that sounds is no foreign sender.
    mutating func noteHeard(_ reports: ArraySlice<DecodeReport>) {
        let isLoud = reports.contains { $0.snrDecibels > Thresholds.guards.loudDecibels }
        if isLoud { canceller.heardLoudFrame() }
    }
}
