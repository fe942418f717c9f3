import Signal

/// The receivers of the DSSS profiles of a band, behind one ``BandGuard``.
///
///     FrontEnd ─ no bangs → BandGuard → ClusterField → Acquisition → Tracker → DSSSFrameDecoder → report
///        └─ at once → LoudPassage → PromptSearch ─────────────┘
struct DSSSBand: FamilyReceiver {
    let band: Band
    private let energyBlock: EnergyBlock
    private var bandGuard: BandGuard
    private var baseband = BasebandWindow()
    private var groups: [SegmentGroup]
    /// The baseband that still waits for the prompt search, the same without impulses, and the guard's output
    /// that is not searched yet.
    private var decimated: [Complex] = []
    private var limited: [Complex] = []
    private var waiting: [Complex] = []
    /// The number of samples by which the full search lags behind the prompt search.
    private var lead = 0
    private var passage: LoudPassage
    private var noise: SteadyNoise
    /// The skipped samples, at 48 kHz, that positions of the baseband do not count.
    private var skippedSamples: Int64 = 0

    /// The baseband samples that are searched at a time, counted from the first: decisions fall at the same
    /// samples whatever the chunks. Loud passages are searched more often: every 10 ms.
    private let quantum: Int
    private let promptQuantum: Int
    private static let blocksPerQuantum = 2
    private static let promptSeconds = 0.01
    /// The least length that is dropped at once: to drop samples moves the others.
    private static let dropSeconds = 2.0

    /// Creates the receivers of at least one profile.
    ///
    /// - Parameter profiles: profiles of the same band.
    init(profiles: [DSSSProfile], observer: (any ReceiverObserver)?) {
        let band = profiles[0].band
        self.band = band
        energyBlock = EnergyBlock(band: band)
        quantum = DSSSBand.blocksPerQuantum * energyBlock.sampleCount
        promptQuantum = band.samples(seconds: DSSSBand.promptSeconds)
        precondition(quantum % promptQuantum == 0, "10 ms must be a whole number of samples")
        bandGuard = BandGuard(band)
        noise = SteadyNoise(variance: energyBlock.variance)
        groups = SegmentGroup.of(profiles, observer)
        passage = LoudPassage(band, keptSamples: groups.lazy.map { $0.passageSamples }.max() ?? 0)
    }

    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport]) {
        let frontEnd = sound.frontEnd(of: band)
        decimated += frontEnd.baseband
        limited += frontEnd.limited
        let greatestLead = frontEnd.limiterDelay
        var (used, taken) = (0, 0)
        while decimated.count - used >= promptQuantum {
            let part = decimated[used..<used + promptQuantum]
            let known = reports.count
            hearPromptly(part, into: &reports)
            used += promptQuantum
            lead += promptQuantum
            if lead > greatestLead {
                bandGuard.process(limited[taken..<taken + lead - greatestLead], into: &waiting)
                taken += lead - greatestLead
                lead = greatestLead
                search(into: &reports)
            }
            bandGuard.noteHeard(reports[known...])
            for report in reports[known...] {
                energyBlock.leaveOut(report, skippedSamples: skippedSamples, of: &noise)
            }
        }
        if used > 0 { decimated.removeFirst(used) }
        if taken > 0 { limited.removeFirst(taken) }
    }

    /// The number of zeros that ``finish(into:)`` appends to the guard's output.
    private var searchFlushSamples: Int { (groups.map { $0.flushSamples }.max() ?? 0) + quantum }

    var flushSamples: Int {
        band.decimation * (promptQuantum + bandGuard.flushSamples + searchFlushSamples)
    }

    mutating func skip(samples: Int64) {
        skippedSamples += samples
        for index in groups.indices { groups[index].skip(samples: samples) }
    }

    mutating func exchangeScratch(with other: inout DSSSBand) {
        bandGuard.exchangeScratch(with: &other.bandGuard)
        for index in groups.indices { groups[index].exchangeScratch(with: &other.groups[index]) }
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        let blank = repeatElement(Complex.zero, count: bandGuard.flushSamples)
        bandGuard.process((limited + blank)[...], into: &waiting)
        limited.removeAll()
        search(into: &reports)
        // Silence is appended one quantum at a time: all of it at once would take more memory than anything
        // before.
        for first in stride(from: 0, to: searchFlushSamples, by: quantum) {
            waiting += repeatElement(.zero, count: min(quantum, searchFlushSamples - first))
            search(into: &reports)
        }
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
        guard waiting.count >= quantum else { return }
        var used = 0
        while waiting.count - used >= quantum {
            let part = waiting[used..<used + quantum]
            baseband.append(part)
            energyBlock.add(baseband, blocks: DSSSBand.blocksPerQuantum, to: &noise)
            for index in groups.indices { groups[index].process(part, baseband, noise, into: &reports) }
            used += quantum
            if let oldest = oldestNeeded,
                oldest - baseband.start > band.samples(seconds: DSSSBand.dropSeconds)
            {
                baseband.drop(before: oldest)
                noise.drop(before: oldest / energyBlock.sampleCount)
            }
        }
        waiting.removeFirst(used)
    }

    /// The oldest baseband sample that some receiver still needs.
    private var oldestNeeded: SamplePosition? { groups.indices.lazy.map { groups[$0].oldestNeeded }.min() }

    var statistics: ReceiverStatistics {
        groups.reduce(into: ReceiverStatistics()) { sum, group in
            for receiver in group.receivers { sum.add(receiver.statistics) }
        }
    }
}
