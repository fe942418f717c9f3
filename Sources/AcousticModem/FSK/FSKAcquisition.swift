import Signal

/// Joint search over start, Doppler and lane: known sync tones, and data symbols that vote with all their tones.
///
///     score(t, v) = Σ_sync ratio[t + dt][its bin]  +  Σ_data ln mean over 64 tones of the likelihood
///
/// Sync alone would need twice as many symbols; time scale follows the Doppler.
struct FSKAcquisition: Sendable {
    /// Nats below which a cell is not asked for its contrast.
    private static let leastScore: Float = -3
    /// Nats by which the sync symbols may speak more for any tone than for theirs: at the symbols of a strong frame, but out
    /// of step with it, they do so by far.
    private static let leastContrast: Float = -10
    /// Of an even share of the score, what each quarter of a frame has at least, but for some nats.
    private static let leastShare: Float = 0.5
    private static let shareAllowance: Float = 8
    /// Nats of a walker's candidate.
    private static let leastWalker: Float = 9
    /// Nats that all symbols of a walker's frame have at least; and those that they count for.
    private static let leastSpread: Float = 6
    private static let mostSpread: Float = 6
    /// How far a greater score hides a lesser one.
    private static let peakSteps = 3
    private static let peakDopplers = 1

    private let profile: FSKProfile
    private let dopplerReach: Int
    private let subBandCount: Int
    /// For each Doppler, and a walker after them: the columns of votes with the step of their symbol.
    private let dataTerms: [[(column: Int, step: Int)]]
    /// For each of them and each lane: the columns of ratios.
    private let syncTerms: [[(column: Int, step: Int)]]
    /// For each of them: the columns of votes of the sync symbols.
    private let syncVoteTerms: [[(column: Int, step: Int)]]
    private let timeScales: [Double]
    private let walker: Int?
    private var scores: ScratchBuffer<Float>
    private var sums: ScratchBuffer<Float>
    private var offsets: ScratchBuffer<Int>
    private var repeatSearch: FSKRepeatSearch

    /// Steps before a block at which a repeat of its frames may have begun.
    var repeatSteps: Int { repeatSearch.reachSteps }
    /// Steps from a frame's first one to its last.
    let reachSteps: Int

    init(profile: FSKProfile, field: ToneField) {
        self.profile = profile
        dopplerReach = field.dopplerReach
        subBandCount = profile.tones.subBandCount
        let dopplers = -field.dopplerReach...field.dopplerReach
        let timeScales = dopplers.map { field.timeScale(ofDoppler: $0) }
        let layouts = (0..<FSKFrameLayout.laneCount).map {
            FSKFrameLayout(profile: profile, lane: $0, tokenClass: .short)
        }
        func step(_ symbol: Int, _ timeScale: Double) -> Int {
            Int((Double(symbol * TonePlan.stepsPerSymbol) / (1 + timeScale)).rounded())
        }
        func vote(_ symbol: Int, _ timeScale: Double) -> (column: Int, step: Int) {
            let subBand = profile.tones.subBand(ofSymbol: symbol)
            let tone = subBand * TonePlan.toneCount
            // The sub-band's own Doppler: less for lower tones.
            let shift = field.bin(ofTone: tone, timeScale: timeScale) - 2 * tone
            let doppler = min(max(shift, 0), 2 * field.dopplerReach)
            return (doppler * profile.tones.subBandCount + subBand, step(symbol, timeScale))
        }
        let dataTerms = timeScales.map { timeScale in layouts[0].dataSymbols.map { vote($0, timeScale) } }
        let syncVoteTerms = timeScales.map { timeScale in layouts[0].syncs.map { vote($0.symbol, timeScale) }
        }
        let syncTerms = timeScales.flatMap { timeScale in
            layouts.map { layout in
                layout.syncs.map { sync in
                    let tone = sync.tone + TonePlan.toneCount * profile.tones.subBand(ofSymbol: sync.symbol)
                    return (field.bin(ofTone: tone, timeScale: timeScale), step(sync.symbol, timeScale))
                }
            }
        }
        func still(_ symbol: Int, column: Int = 0) -> (column: Int, step: Int) { (column, step(symbol, 0)) }
        let isSpread = profile.isForWalkers
        walker = isSpread ? timeScales.count : nil
        self.timeScales = timeScales + (isSpread ? [0] : [])
        self.dataTerms = dataTerms + (isSpread ? [layouts[0].dataSymbols.map { still($0) }] : [])
        self.syncVoteTerms = syncVoteTerms + (isSpread ? [layouts[0].syncs.map { still($0.symbol) }] : [])
        self.syncTerms =
            syncTerms
            + (isSpread ? layouts.map { $0.syncs.map { still($0.symbol, column: $0.tone) } } : [])
        reachSteps = step(profile.searchedSymbolCount, -TonePlan.greatestTimeScale) + FSKAcquisition.peakSteps
        let width = ToneField.blockSteps + 2 * FSKAcquisition.peakSteps
        scores = ScratchBuffer(
            count: self.timeScales.count * FSKFrameLayout.laneCount * width, repeating: 0)
        sums = ScratchBuffer(count: 3 * width, repeating: 0)
        offsets = ScratchBuffer(count: profile.searchedSymbolCount, repeating: 0)
        repeatSearch = FSKRepeatSearch(profile: profile, timeScales: self.timeScales, walker: walker)
    }

    /// Adds the candidates that begin in `ToneField.blockSteps` steps from `first` on. The field must hold
    /// ``FSKAcquisition/peakSteps`` before them and ``reachSteps`` more after them.
    mutating func search(
        _ field: ToneField, from first: Int, least: Float, into candidates: inout [FSKCandidate],
        repeats: inout [FSKRepeatSearch.Candidate]
    ) {
        let lead = FSKAcquisition.peakSteps
        let width = ToneField.blockSteps + 2 * lead
        let lanes = FSKFrameLayout.laneCount
        let scores = self.scores.claim()
        let votes = sums.claim()
        let syncs = votes + width
        let syncVotes = syncs + width
        for doppler in timeScales.indices {
            add(dataTerms[doppler], of: self.votes(field, doppler), from: first - lead, width, into: votes)
            if doppler == walker {
                add(
                    syncVoteTerms[doppler], of: self.votes(field, doppler), from: first - lead, width,
                    into: syncVotes)
            }
            for lane in 0..<lanes {
                add(
                    syncTerms[doppler * lanes + lane], of: ratios(field, doppler), from: first - lead, width,
                    into: syncs)
                let row = scores + (doppler * lanes + lane) * width
                guard doppler != walker else {
                    // Wherever there is a frame all symbols speak: where it begins, only sync tones tell.
                    let (least, most) = (FSKAcquisition.leastSpread, FSKAcquisition.mostSpread)
                    for i in 0..<width {
                        let all = votes[i] + syncs[i]
                        row[i] = all < least ? -most : min(all, most) + syncs[i] - syncVotes[i]
                    }
                    continue
                }
                for i in 0..<width { row[i] = votes[i] + syncs[i] }
            }
        }
        for row in 0..<timeScales.count * lanes {
            for i in lead..<width - lead where scores[row * width + i] >= FSKAcquisition.leastScore {
                var candidate = FSKCandidate(
                    start: Double((first - lead + i) * profile.tones.stepSamples),
                    timeScale: timeScales[row / lanes], lane: row % lanes, score: scores[row * width + i],
                    contrast: contrast(field, row: row, step: first - lead + i))
                candidate.isSpread = row / lanes == walker
                let isLikely =
                    candidate.isSpread
                    ? candidate.score >= FSKAcquisition.leastWalker : candidate.rank >= least
                guard isLikely, candidate.contrast >= FSKAcquisition.leastContrast,
                    isPeak(scores, width, doppler: row / lanes, i, row: row),
                    isEven(field, row: row, step: first - lead + i, score: candidate.score)
                else { continue }
                if candidate.isSpread {
                    repeats.append(
                        FSKRepeatSearch.Candidate(
                            frames: [candidate], tokenClass: .short, score: candidate.score))
                } else {
                    candidates.append(candidate)
                }
            }
        }
        repeatSearch.search(
            scores, stride: width, lead: lead, first: first, into: &repeats)
    }

    private func votes(_ field: ToneField, _ doppler: Int) -> ColumnRing {
        doppler == walker ? field.spread!.votes : field.votes
    }

    private func ratios(_ field: ToneField, _ doppler: Int) -> ColumnRing {
        doppler == walker ? field.spread!.ratios : field.ratios
    }

    private mutating func add(
        _ terms: [(column: Int, step: Int)], of ring: ColumnRing, from first: Int, _ count: Int,
        into sums: UnsafeMutablePointer<Float>
    ) {
        let offsets = self.offsets.claim()
        for (i, term) in terms.enumerated() {
            offsets[i] = ring.place(column: term.column, row: first + term.step)
        }
        ring.values.withUnsafeBufferPointer {
            Kernels.sumRows(
                $0.baseAddress!, offsets: UnsafeBufferPointer(start: offsets, count: terms.count), count,
                into: sums)
        }
    }

    /// How much more the sync symbols speak for their own tones than for any: nats, ln 64 a symbol at most.
    private func contrast(_ field: ToneField, row: Int, step: Int) -> Float {
        let doppler = row / FSKFrameLayout.laneCount
        return sum(syncTerms[row][...], of: ratios(field, doppler), step)
            - sum(syncVoteTerms[doppler][...], of: votes(field, doppler), step)
    }

    /// Whether every quarter of the frame has its part: out of step with a strong frame, some have nothing.
    private func isEven(_ field: ToneField, row: Int, step: Int, score: Float) -> Bool {
        let doppler = row / FSKFrameLayout.laneCount
        let terms = dataTerms[doppler]
        let least = FSKAcquisition.leastShare * score / 4 - FSKAcquisition.shareAllowance
        return (0..<4).allSatisfy { quarter in
            let part = terms[quarter * terms.count / 4..<(quarter + 1) * terms.count / 4]
            return sum(part, of: votes(field, doppler), step) >= least
        }
    }

    private func sum(_ terms: ArraySlice<(column: Int, step: Int)>, of ring: ColumnRing, _ step: Int) -> Float
    {
        terms.reduce(Float(0)) { $0 + ring.values[ring.place(column: $1.column, row: step + $1.step)] }
    }

    private func isPeak(
        _ scores: UnsafePointer<Float>, _ width: Int, doppler: Int, _ i: Int, row: Int
    ) -> Bool {
        let score = scores[row * width + i]
        let lanes = FSKFrameLayout.laneCount
        let near = FSKAcquisition.neighbours(
            of: doppler, within: FSKAcquisition.peakDopplers, count: timeScales.count, walker)
        let (first, last) = (near.lowerBound, near.upperBound)
        for other in stride(from: first * lanes + row % lanes, through: last * lanes + row % lanes, by: lanes)
        {
            for j in i - FSKAcquisition.peakSteps...i + FSKAcquisition.peakSteps {
                let rival = scores[other * width + j]
                if rival > score || (rival == score && (other, j) < (row, i)) { return false }
            }
        }
        return true
    }

    /// Hypotheses of about the same Doppler; a walker's is by itself.
    static func neighbours(
        of doppler: Int, within reach: Int, count: Int, _ walker: Int?
    ) -> ClosedRange<Int> {
        if doppler == walker { return doppler...doppler }
        return max(0, doppler - reach)...min((walker ?? count) - 1, doppler + reach)
    }
}
