/// A search for the other piece of a frame of which one piece is known, the likeliest first.
///
/// Windows about the piece, a quarter of a symbol apart, are scored once. A start L symbols from that of the
/// known piece then takes sums of these scores, for each symbol k at which the frame may have been cut:
///
///     Σ_{i < k} first[i] + Σ_{i ≥ k + lost} last[i]   lost: L if the first piece is the later one, else 0
struct FSKSpliceSearch {
    private static let phaseCount = 4
    /// The symbols by which a start may be off: a phase.
    private static let tolerance = 1 / Double(phaseCount)
    /// The number of splices that are tried.
    private static let mostSplices = 3

    private let layout: FSKFrameLayout
    private let subBandCount: Int
    private let reach: Int
    private let known: FSKTracker.Setting
    private let symbolSamples: Double
    /// For each phase, the scores of any tone of a sub-band in each window, and those of the sync tones.
    /// `[windows][subBandCount]`, `[windows][syncs]`
    private var votes: [[Float]] = []
    private var syncRatios: [[Float]] = []
    private let syncOfSymbol: [Int?]
    /// The vote that one in four data symbols of the known piece reaches.
    private var goodVote: Float = 0

    /// - Parameter known: the piece that was found.
    init(
        _ known: FSKTracker.Setting, _ layout: FSKFrameLayout, _ tones: TonePlan, _ sound: FSKSound,
        _ tracker: inout FSKTracker
    ) {
        (self.known, self.layout) = (known, layout)
        subBandCount = tones.subBandCount
        reach = FSKSplice.reachSymbols(tones)
        symbolSamples = Double(tones.symbolSamples) / (1 + known.timeScale)
        var syncOfSymbol = [Int?](repeating: nil, count: layout.symbolCount)
        for (i, sync) in layout.syncs.enumerated() { syncOfSymbol[sync.symbol] = i }
        self.syncOfSymbol = syncOfSymbol
        let windowCount = layout.symbolCount + 2 * reach
        let likelihood = ToneLikelihood()
        for phase in 0..<FSKSpliceSearch.phaseCount {
            var setting = known
            setting.start +=
                symbolSamples * (Double(phase) / Double(FSKSpliceSearch.phaseCount) - Double(reach))
            let grid = tracker.grid(setting, symbolCount: windowCount, sound).grid
            var (votes, ratios): ([Float], [Float]) = ([], [])
            for window in 0..<windowCount {
                for subBand in 0..<subBandCount {
                    votes.append(likelihood.scoreOfAny(grid, window: window, subBand: subBand))
                }
                for sync in layout.syncs {
                    ratios.append(
                        likelihood.score(
                            grid, window: window, subBand: sync.symbol % subBandCount, tone: sync.tone))
                }
            }
            self.votes.append(votes)
            syncRatios.append(ratios)
        }
        let own = layout.dataSymbols.map { votes[0][(reach + $0) * subBandCount + $0 % subBandCount] }
        goodVote = own.sorted()[own.count * 3 / 4]
    }

    /// Returns the nats that each symbol of a frame lacks of a good one, if the frame begins `windows` and a
    /// phase after the first window. A symbol lacks nats if it is faint, or if its window holds parts of two
    /// tones; a sync symbol also counts for its own tone or against it.
    private func terms(windows: Int, phase: Int) -> [Float] {
        (0..<layout.symbolCount).map { symbol in
            let window = windows + symbol
            let vote = votes[phase][window * subBandCount + symbol % subBandCount]
            let lack = min(vote - goodVote, 0)
            guard let sync = syncOfSymbol[symbol] else { return lack }
            return lack + syncRatios[phase][window * layout.syncs.count + sync] - vote
        }
    }

    /// Returns the known piece alone, then the likeliest splices that are better by
    /// ``FSKThresholds/spliceNats``, at most one about each start.
    func splices() -> [FSKSplice] {
        let own = terms(windows: reach, phase: 0)
        let least = own.reduce(0, +) + Thresholds.fsk.spliceNats
        var found: [FSKSplice] = []
        for windows in 0..<2 * reach {
            for phase in 0..<FSKSpliceSearch.phaseCount {
                let lag = Double(windows - reach) + Double(phase) / Double(FSKSpliceSearch.phaseCount)
                guard abs(lag) > FSKSpliceSearch.tolerance else { continue }
                let other = terms(windows: windows, phase: phase)
                var setting = known
                setting.start += lag * symbolSamples
                let splices = [
                    splice((setting, other), (known, own), lag: lag),
                    splice((known, own), (setting, other), lag: -lag),
                ]
                found += splices.filter { $0.score > least }
            }
        }
        found.sort { $0.score > $1.score }
        var chosen = [FSKSplice(first: known, last: known, firstEnd: 0, lastStart: 0, score: least)]
        for splice in found where chosen.count <= FSKSpliceSearch.mostSplices {
            if chosen.allSatisfy({ isOther(splice.first, $0.first) || isOther(splice.last, $0.last) }) {
                chosen.append(splice)
            }
        }
        return chosen
    }

    private func isOther(_ one: FSKTracker.Setting, _ other: FSKTracker.Setting) -> Bool {
        abs(one.start - other.start) > symbolSamples / 2
    }

    /// Returns the splice with the likeliest place of the cut. `lag`: symbols from the start of the last
    /// piece to that of the first.
    private func splice(
        _ first: (setting: FSKTracker.Setting, terms: [Float]),
        _ last: (setting: FSKTracker.Setting, terms: [Float]), lag: Double
    ) -> FSKSplice {
        let lost = max(0, Int((lag - FSKSpliceSearch.tolerance).rounded(.up)))
        var best = FSKSplice(
            first: first.setting, last: last.setting, firstEnd: 0, lastStart: lost, score: -.infinity)
        var score =
            last.terms[min(lost, last.terms.count)...].reduce(0, +)
            - Thresholds.fsk.lostSymbolNats * Float(lost)
        for end in 1..<max(1, layout.symbolCount - lost) {
            score += first.terms[end - 1] - last.terms[end - 1 + lost]
            if score > best.score {
                (best.firstEnd, best.lastStart, best.score) = (end, end + lost, score)
            }
        }
        return best
    }
}
