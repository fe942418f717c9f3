import Signal

/// The DSSS profiles behind one exciser of tones.
///
///     FrontEnd ─ bangs out → ToneExciser → ClusterField → Acquisition → Tracker → DSSSFrameDecoder → DecodeReport
///        └─ as it is, at once → LoudPassage → PromptSearch ───────────────┘
struct DSSSBand: FamilyReceiver {
    private var exciser = ToneExciser()
    private var canceller = EnvelopeCanceller(rateHz: BandDecimator.outputRateHz)
    private var baseband = BasebandWindow()
    private var groups: [SegmentGroup]
    /// Baseband that is not heard promptly yet, that whose tones are not out yet, and what has none and is not yet searched.
    private var decimated: [Complex] = []
    private var limited: [Complex] = []
    private var excised: [Complex] = []
    private var waiting: [Complex] = []
    /// By how many samples less is searched than is heard promptly.
    private var lead = 0
    private let greatestLead = PulseLimiter(rateHz: BandDecimator.outputRateHz).delaySamples
    private var passage: LoudPassage
    private var noise = SteadyNoise(variance: FrameEnergy.blockVariance)

    /// Baseband samples searched at a time, counted from the first: decisions fall at the same samples whatever the
    /// chunks. Loud passages are searched more often: every 10 ms.
    private static let quantum = 2 * FrameEnergy.blockSamples
    private static let promptQuantum = 24

    init(profiles: [DSSSProfile], observer: (any ReceiverObserver)?) {
        groups = SegmentGroup.of(profiles, observer)
        passage = LoudPassage(keptSamples: groups.lazy.map { $0.passageSamples }.max() ?? 0)
    }

    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport]) {
        decimated += sound.baseband
        limited += sound.limited
        var (used, taken) = (0, 0)
        while decimated.count - used >= DSSSBand.promptQuantum {
            let part = decimated[used..<used + DSSSBand.promptQuantum]
            let known = reports.count
            hearPromptly(part, into: &reports)
            used += DSSSBand.promptQuantum
            lead += DSSSBand.promptQuantum
            if lead > greatestLead {
                takeOut(limited[taken..<taken + lead - greatestLead])
                taken += lead - greatestLead
                lead = greatestLead
                search(into: &reports)
            }
            noteLoudFrames(reports, since: known)
        }
        if used > 0 { decimated.removeFirst(used) }
        if taken > 0 { limited.removeFirst(taken) }
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        takeOut(limited[...])
        limited.removeAll()
        let blank = [Complex](repeating: .zero, count: exciser.blockCount + canceller.delaySamples)
        takeOut(blank[...])
        let silence = (groups.map { $0.flushSamples }.max() ?? 0) + DSSSBand.quantum
        waiting += repeatElement(.zero, count: silence)
        search(into: &reports)
    }

    /// Tones, and a foreign sender.
    private mutating func takeOut(_ part: ArraySlice<Complex>) {
        excised.removeAll(keepingCapacity: true)
        exciser.process(part, into: &excised)
        canceller.process(excised[...], into: &waiting)
    }

    /// Tells the canceller of frames heard since `known`.
    private mutating func noteLoudFrames(_ reports: [DecodeReport], since known: Int) {
        let isLoud = reports[known...].contains { $0.snrDecibels > EnvelopeCanceller.loudDecibels }
        if isLoud { canceller.heardLoudFrame() }
    }

    private mutating func hearPromptly(_ part: ArraySlice<Complex>, into reports: inout [DecodeReport]) {
        let event = passage.append(part)
        if case .quiet = event { return }
        for index in groups.indices {
            switch event {
            case .quiet: break
            case .began(let start):
                groups[index].hearPromptly(
                    passage, passage.baseband.samples(from: start), into: &reports)
            case .goesOn: groups[index].hearPromptly(passage, part, into: &reports)
            case .ended: groups[index].endPassage()
            }
        }
    }

    private mutating func search(into reports: inout [DecodeReport]) {
        guard waiting.count >= DSSSBand.quantum else { return }
        var used = 0
        while waiting.count - used >= DSSSBand.quantum {
            let part = waiting[used..<used + DSSSBand.quantum]
            baseband.append(part)
            FrameEnergy.add(baseband, blocks: DSSSBand.quantum / FrameEnergy.blockSamples, to: &noise)
            for index in groups.indices { groups[index].process(part, baseband, noise, into: &reports) }
            used += DSSSBand.quantum
            // Not before it is more than what is kept: what is kept is moved.
            if let oldest = oldestNeeded,
                oldest - baseband.start > max(4800, baseband.end - oldest)
            {
                baseband.drop(before: oldest)
                noise.drop(before: oldest / FrameEnergy.blockSamples)
            }
        }
        waiting.removeFirst(used)
    }

    /// The oldest baseband sample that some receiver still needs.
    private var oldestNeeded: Int? { groups.indices.lazy.map { groups[$0].oldestNeeded }.min() }

    var statistics: ReceiverStatistics {
        groups.reduce(into: ReceiverStatistics()) { sum, group in
            for receiver in group.receivers { sum.add(receiver.statistics) }
        }
    }
}
