import Signal

/// A search for frames of a loud passage as they end. It correlates the clusters in short blocks. Where they
/// stand out without regard to phase, it searches all starts about, once the last echo that is read has come.
///
///     baseband   ……|·pilots···pilots······pilots·|‥echoes‥|
///                  start                   noticed ↑   due ↑
struct PromptSearch: Sendable {
    /// A place at which a frame may begin, with its gate and the time of its search. Positions are those of
    /// the baseband.
    private struct Appointment {
        var start: SamplePosition
        var gate: Float
        var due: SamplePosition
    }

    /// Starts nearer to each other than this are of one frame and its echoes: they are searched together.
    private let neighbourhood: Int
    private static let neighbourhoodSeconds = 0.0534
    /// The number of chips after the last one for which the search waits. Later echoes are not worth a later
    /// report of a frame that is certain anyway.
    private static let tailChips = 80
    /// The number of samples that the matched filter and the tracker's fine search read beyond the last chip.
    private static let readAhead = 8
    private static let spareSeconds = 0.64
    /// The field's memory is given back after so many times what is kept, without a passage.
    private static let idleSpans = 6

    private let burst: BurstGrid
    private let grid: SearchGrid
    private let gateThreshold: Float
    private let onset: FrameOnset
    private let keptSamples: Int
    /// The field of the passage, which begins at `origin` of the baseband. Between passages there is none;
    /// its memory then waits for the next one.
    private var field: CopyOnWrite<ClusterField>?
    private var idleField: CopyOnWrite<ClusterField>?
    private var origin: SamplePosition = 0
    /// The end of the last passage.
    private var idleFrom: SamplePosition = 0
    /// The first start in the field whose gates have not been looked at.
    private var nextStart: SamplePosition = 0
    private var appointments: [Appointment] = []

    init(burst: BurstGrid, grid: SearchGrid) {
        (self.burst, self.grid) = (burst, grid)
        gateThreshold = TailProbability.gammaQuantile(
            normal: Thresholds.dsss.promptGate, shape: grid.clusterCount)
        onset = FrameOnset(profile: grid.profile)
        neighbourhood = grid.profile.band.samples(seconds: PromptSearch.neighbourhoodSeconds)
        keptSamples = PromptSearch.keptSamples(grid.profile, burst)
    }

    /// Returns the number of baseband samples from before a frame's start to the time when it is due.
    static func keptSamples(_ profile: DSSSProfile, _ burst: BurstGrid) -> Int {
        let reach = Tracker.reach(profile: profile)
        let neighbourhood = profile.band.samples(seconds: neighbourhoodSeconds)
        return burst.spanSamples + reach.after + reach.before + 4 * neighbourhood
    }

    /// Takes the next samples of a passage.
    mutating func append(_ fresh: ArraySlice<Complex>, of passage: LoudPassage) {
        if field == nil { begin(at: passage.baseband.end - fresh.count) }
        field?.value.append(fresh)
        notice(passage)
        let oldest = appointments.lazy.map { $0.start }.min() ?? .max
        let needed = min(nextStart, oldest.since(origin)) - 4 * neighbourhood
        field?.value.drop(before: needed, outer: needed)
    }

    private mutating func begin(at position: SamplePosition) {
        swap(&field, &idleField)
        if field == nil {
            field = CopyOnWrite(
                ClusterField(
                    correlator: ClusterCorrelator(grid: grid, blocks: .short), grid: grid,
                    keptSamples: keptSamples, outerKeptSamples: keptSamples,
                    spareSamples: grid.profile.band.samples(seconds: PromptSearch.spareSeconds)))
        } else {
            field!.value.restart()
        }
        (origin, nextStart) = (position, field!.read { $0.start })
    }

    mutating func end() {
        if let end = field?.read({ $0.end }) {
            idleFrom = end.after(origin)
            swap(&field, &idleField)
        }
        appointments.removeAll()
    }

    /// Gives back the memory of the last passage if it ended long before `position`.
    mutating func giveBackMemory(at position: SamplePosition) {
        if position - idleFrom > PromptSearch.idleSpans * keptSamples { idleField = nil }
    }

    /// Looks at the new gates where a loud frame may begin.
    private mutating func notice(_ passage: LoudPassage) {
        guard let gateEnd = field?.read({ $0.gateEnd }), gateEnd > nextStart else { return }
        let size = passage.levelSamples
        var open = nextStart..<nextStart
        var first = nextStart
        while first < gateEnd {
            // All starts between two block boundaries share the same blocks.
            let place = (max(first.after(origin), 0) + size - 1) / size
            let end = min((place * size + 1).since(origin), gateEnd)
            if onset.isPossible(at: place, passage.levels) {
                open = (open.isEmpty ? first : open.lowerBound)..<end
            } else {
                notice(open)
                open = end..<end
            }
            first = end
        }
        notice(open)
        nextStart = gateEnd
    }

    /// Looks at the gates of some starts.
    private mutating func notice(_ starts: Range<SamplePosition>) {
        guard !starts.isEmpty else { return }
        field?.value.makeGates(starts, .everyOther)
        field?.read { field in
            let bins = field.strongEnd > starts.lowerBound ? 0..<grid.binCount : grid.coreBins
            for bin in bins where grid.isOneOfEveryOther(bin) {
                field.withBin(bin) { _, gates in
                    let fresh = gates.from(starts.lowerBound)
                    var place = -1
                    while true {
                        place = Kernels.firstAbove(gateThreshold, fresh, in: place + 1..<starts.count)
                        guard place < starts.count else { break }
                        notice(bin: bin, start: starts.lowerBound.after(origin) + place, gate: fresh[place])
                    }
                }
            }
        }
    }

    private mutating func notice(bin: Int, start: SamplePosition, gate: Float) {
        let chips = Double(grid.profile.segmentChipCount + PromptSearch.tailChips)
        let stretch = 1 + grid.groupTimeScale(bin: bin, group: grid.groupsPerBin / 2)
        let echoesEnd =
            start + burst.segmentOffset(bin: bin, group: 0, segment: burst.plan.segmentCount - 1)
            + Int((grid.templateLeadSamples + chips * grid.samplesPerChip / stretch).rounded(.up))
            + PromptSearch.readAhead
        // By then the field holds every cluster, under any hypothesis.
        let fieldEnd =
            start + burst.spanSamples + grid.segmentSpanSamples + PromptSearch.readAhead
            + ClusterCorrelator.BlockLength.short.transformCount(grid.profile.band)
        let appointment = Appointment(start: start, gate: gate, due: max(echoesEnd, fieldEnd))
        let near = appointments.firstIndex { abs($0.start - start) < neighbourhood }
        if let near {
            if gate > appointments[near].gate { appointments[near] = appointment }
        } else {
            appointments.append(appointment)
        }
    }

    /// Returns the starts, about the greatest gate, that are to be searched when the baseband reaches `end`;
    /// `nil` if there are none. It returns each place once.
    mutating func nextDue(_ end: SamplePosition) -> Range<SamplePosition>? {
        guard let place = appointments.firstIndex(where: { $0.due <= end }) else { return nil }
        let start = appointments.remove(at: place).start
        return start - neighbourhood..<start + neighbourhood
    }

    /// Finds the candidates near `starts`, best first.
    mutating func search(
        _ starts: Range<SamplePosition>, _ acquisition: inout Acquisition, into candidates: inout [Candidate],
        _ statistics: inout ReceiverStatistics
    ) {
        candidates.removeAll(keepingCapacity: true)
        guard let (start, gateEnd) = field?.read({ ($0.start, $0.gateEnd) }) else { return }
        let first = max(starts.lowerBound.since(origin), start + 1)
        let last = min(starts.upperBound.since(origin), gateEnd - burst.spanSamples - 1)
        guard first < last else { return }
        let open = [OpenStarts(starts: first..<last, energy: .usual)]
        acquisition.search(
            &field!.value, .none, WantedStarts(open: open, roomStarts: nil, isPrompt: true),
            into: &candidates, statistics: &statistics)
        for index in candidates.indices { candidates[index].start += Double(origin) }
    }
}
