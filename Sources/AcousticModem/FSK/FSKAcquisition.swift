import Signal

/// A joint search over start, Doppler and lane. It scores known sync tones, and data symbols that vote with
/// all their tones.
///
///     score(t, v) = Σ_sync ratio[t + dt][its bin]  +  Σ_data ln mean over 64 tones of the likelihood
///
/// Sync tones alone would need twice as many symbols; the time scale follows the Doppler.
struct FSKAcquisition: Sendable {
    /// The number of steps and Dopplers within which a greater score hides a lesser one.
    static let peakSteps = 3
    private static let peakDopplers = 1

    private let profile: FSKProfile
    private let dopplerReach: Int
    private let subBandCount: Int
    /// The columns of votes with the step of their symbol, for each Doppler, and then for a walker.
    private let dataTerms: [[(column: Int, step: Int)]]
    /// The columns of ratios, for each of these and each lane.
    private let syncTerms: [[(column: Int, step: Int)]]
    /// The columns of votes of the sync symbols, for each of these.
    private let syncVoteTerms: [[(column: Int, step: Int)]]
    private let dopplers: DopplerHypotheses
    private var scores: ScratchBuffer<Float>
    private var sums: ScratchBuffer<Float>
    private var places: ScratchBuffer<UInt16>
    private var offsets: ScratchBuffer<Int>
    private var repeatSearch: FSKRepeatSearch

    /// The number of steps before a block at which a repeat of its frames may have begun.
    var repeatSteps: Int { repeatSearch.reachSteps }
    /// The number of steps from a frame's first one to its last.
    let reachSteps: Int

    init(profile: FSKProfile, field: ToneField) {
        self.profile = profile
        dopplerReach = field.dopplerReach
        subBandCount = profile.tones.subBandCount
        var timeScales = (-field.dopplerReach...field.dopplerReach).map { field.timeScale(ofDoppler: $0) }
        let layouts = (0..<FSKFrameLayout.laneCount).map {
            FSKFrameLayout(profile: profile, lane: $0, tokenClass: .short)
        }
        func step(_ symbol: Int, _ timeScale: Double) -> Int {
            Int((Double(symbol * TonePlan.stepsPerSymbol) / (1 + timeScale)).rounded())
        }
        func vote(_ symbol: Int, _ timeScale: Double) -> (column: Int, step: Int) {
            let subBand = profile.tones.subBand(ofSymbol: symbol)
            let tone = subBand * TonePlan.toneCount
            // The sub-band's own Doppler is less for lower tones.
            let shift = field.bin(ofTone: tone, timeScale: timeScale) - 2 * tone
            let doppler = min(max(shift, 0), 2 * field.dopplerReach)
            return (doppler * profile.tones.subBandCount + subBand, step(symbol, timeScale))
        }
        var dataTerms = timeScales.map { timeScale in layouts[0].dataSymbols.map { vote($0, timeScale) } }
        var syncVoteTerms = timeScales.map { timeScale in
            layouts[0].syncs.map { vote($0.symbol, timeScale) }
        }
        var syncTerms = timeScales.flatMap { timeScale in
            layouts.map { layout in
                layout.syncs.map { sync in
                    let tone = sync.tone + TonePlan.toneCount * profile.tones.subBand(ofSymbol: sync.symbol)
                    return (
                        column: field.bin(ofTone: tone, timeScale: timeScale),
                        step: step(sync.symbol, timeScale)
                    )
                }
            }
        }
        let walker = profile.isForWalkers ? timeScales.count : nil
        if profile.isForWalkers {
            timeScales.append(0)
            dataTerms.append(layouts[0].dataSymbols.map { (column: 0, step: step($0, 0)) })
            syncVoteTerms.append(layouts[0].syncs.map { (column: 0, step: step($0.symbol, 0)) })
            syncTerms += layouts.map { $0.syncs.map { (column: $0.tone, step: step($0.symbol, 0)) } }
        }
        dopplers = DopplerHypotheses(timeScales: timeScales, walker: walker)
        (self.dataTerms, self.syncVoteTerms, self.syncTerms) = (dataTerms, syncVoteTerms, syncTerms)
        reachSteps = step(profile.searchedSymbolCount, -TonePlan.greatestTimeScale) + FSKAcquisition.peakSteps
        let width = ToneField.blockSteps + 2 * FSKAcquisition.peakSteps
        scores = ScratchBuffer(count: dopplers.columnCount * width, repeating: 0)
        sums = ScratchBuffer(count: 3 * width, repeating: 0)
        places = ScratchBuffer(count: ToneField.blockSteps + 1, repeating: 0)
        offsets = ScratchBuffer(count: profile.searchedSymbolCount, repeating: 0)
        repeatSearch = FSKRepeatSearch(profile: profile, dopplers: dopplers)
    }

    /// Adds the candidates that begin in `ToneField.blockSteps` steps from `first` on. The field must hold
    /// ``FSKAcquisition/peakSteps`` before them and ``reachSteps`` more after them.
    mutating func search(
        _ field: ToneField, from first: SamplePosition, least: Float, into candidates: inout [FSKCandidate],
        repeats: inout [FSKRepeatSearch.Candidate], pieces: inout [FSKCandidate]
    ) {
        let lead = FSKAcquisition.peakSteps
        let width = ToneField.blockSteps + 2 * lead
        let (scores, places) = (self.scores.claim(), self.places.claim())
        for column in 0..<dopplers.columnCount {
            score(field, column: column, from: first - lead, width, into: scores + column * width)
        }
        for column in 0..<dopplers.columnCount {
            let count = Kernels.peaksAbove(
                Thresholds.fsk.cellNats.nextDown, scores + column * width + lead, ToneField.blockSteps,
                all: true, into: places)
            for place in 0..<count {
                let i = lead + Int(places[place])
                let step = first - lead + i
                var candidate = FSKCandidate(
                    start: Double(step * profile.tones.stepSamples),
                    timeScale: dopplers.timeScale(column: column),
                    lane: column % FSKFrameLayout.laneCount, score: scores[column * width + i],
                    contrast: contrast(field, column: column, step: step))
                candidate.isSpread = dopplers.isWalker(column: column)
                if !candidate.isSpread, candidate.score >= Thresholds.fsk.pieceNats {
                    let contrast = pieceContrast(field, column: column, step: step)
                    if contrast >= Thresholds.fsk.pieceContrast {
                        var piece = candidate
                        piece.contrast = contrast
                        pieces.append(piece)
                    }
                }
                let isLikely =
                    candidate.isSpread
                    ? candidate.score >= Thresholds.fsk.walkerNats : candidate.rank >= least
                guard isLikely, candidate.contrast >= Thresholds.fsk.cellContrast,
                    dopplers.isPeak(
                        scores, width: width, column: column, i, steps: FSKAcquisition.peakSteps,
                        dopplers: FSKAcquisition.peakDopplers),
                    isEven(field, column: column, step: step, score: candidate.score)
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
        var found: [FSKRepeatSearch.Candidate] = []
        repeatSearch.search(scores, stride: width, lead: lead, first: first, into: &found)
        repeats += found.filter { $0.frames[0].isSpread || isInStep($0.frames[0], field) }
    }

    /// Returns true unless a candidate is out of step with a strong frame that sounds.
    private func isInStep(_ candidate: FSKCandidate, _ field: ToneField) -> Bool {
        let column = dopplers.column(candidate)
        let step = SamplePosition(candidate.start) / profile.tones.stepSamples
        return contrast(field, column: column, step: step) >= Thresholds.fsk.cellContrast
            && isEven(field, column: column, step: step, score: candidate.score)
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout FSKAcquisition) {
        swap(&scores, &other.scores)
        swap(&sums, &other.sums)
        swap(&places, &other.places)
        swap(&offsets, &other.offsets)
        repeatSearch.exchangeScratch(with: &other.repeatSearch)
    }

    private mutating func score(
        _ field: ToneField, column: Int, from first: SamplePosition, _ count: Int,
        into scores: UnsafeMutablePointer<Float>
    ) {
        let doppler = column / FSKFrameLayout.laneCount
        let votes = sums.claim()
        let syncs = votes + count
        let syncVotes = syncs + count
        // Lanes differ only in their sync tones.
        if column % FSKFrameLayout.laneCount == 0 {
            add(dataTerms[doppler], of: self.votes(field, doppler), from: first, count, into: votes)
            if dopplers.isWalker(column: column) {
                add(
                    syncVoteTerms[doppler], of: self.votes(field, doppler), from: first, count,
                    into: syncVotes)
            }
        }
        add(syncTerms[column], of: ratios(field, doppler), from: first, count, into: syncs)
        guard dopplers.isWalker(column: column) else {
            for i in 0..<count { scores[i] = votes[i] + syncs[i] }
            return
        }
        // All symbols show that there is a frame; only sync tones show where it begins.
        let least = Thresholds.fsk.spreadNats
        for i in 0..<count {
            scores[i] = votes[i] + syncs[i] < least ? -least : least + syncs[i] - syncVotes[i]
        }
    }

    private func votes(_ field: ToneField, _ doppler: Int) -> ColumnRing {
        doppler == dopplers.walker ? field.spread!.votes : field.votes
    }

    private func ratios(_ field: ToneField, _ doppler: Int) -> ColumnRing {
        doppler == dopplers.walker ? field.spread!.ratios : field.ratios
    }

    private mutating func add(
        _ terms: [(column: Int, step: Int)], of ring: ColumnRing, from first: SamplePosition, _ count: Int,
        into sums: UnsafeMutablePointer<Float>
    ) {
        let offsets = self.offsets.claim()
        let place = ring.place(column: 0, row: first)
        for (i, term) in terms.enumerated() {
            offsets[i] = ring.place(column: term.column, term.step, after: place)
        }
        ring.values.withUnsafeBufferPointer {
            Kernels.sumRows(
                $0.baseAddress!, offsets: UnsafeBufferPointer(start: offsets, count: terms.count), count,
                into: sums)
        }
    }

    /// Returns the nats by which some sync symbols favour their own tones over any other tone; ln 64 a symbol
    /// at most.
    ///
    /// - Parameter syncs: the indices of the sync symbols; `nil` for all of them.
    private func contrast(
        _ field: ToneField, column: Int, step: SamplePosition, syncs: Range<Int>? = nil
    ) -> Float {
        let doppler = column / FSKFrameLayout.laneCount
        let syncs = syncs ?? syncTerms[column].indices
        return sum(syncTerms[column][syncs], of: ratios(field, doppler), step)
            - sum(syncVoteTerms[doppler][syncs], of: votes(field, doppler), step)
    }

    /// Returns the contrast of a cut frame, which has its first two sync symbols or its last two: that of the
    /// better pair.
    private func pieceContrast(_ field: ToneField, column: Int, step: SamplePosition) -> Float {
        let count = syncTerms[column].count
        return max(
            contrast(field, column: column, step: step, syncs: 0..<2),
            contrast(field, column: column, step: step, syncs: count - 2..<count))
    }

    /// Returns true if every quarter of the frame has its part of the score, and none nearly all of it: out
    /// of step with a strong frame, some quarters have nothing, and before it only the last one has much.
    private func isEven(_ field: ToneField, column: Int, step: SamplePosition, score: Float) -> Bool {
        let doppler = column / FSKFrameLayout.laneCount
        let terms = dataTerms[doppler]
        let thresholds = Thresholds.fsk
        let least = thresholds.quarterShare * score / 4 - thresholds.quarterAllowanceNats
        var (total, greatest): (Float, Float) = (0, 0)
        for quarter in 0..<4 {
            let part = terms[quarter * terms.count / 4..<(quarter + 1) * terms.count / 4]
            let nats = sum(part, of: votes(field, doppler), step)
            guard nats >= least else { return false }
            total += nats
            greatest = max(greatest, nats)
        }
        return total - greatest >= thresholds.otherQuartersShare * total - thresholds.quarterAllowanceNats
    }

    private func sum(
        _ terms: ArraySlice<(column: Int, step: Int)>, of ring: ColumnRing, _ step: SamplePosition
    )
        -> Float
    {
        terms.reduce(Float(0)) { $0 + ring.values[ring.place(column: $1.column, row: step + $1.step)] }
    }
}
