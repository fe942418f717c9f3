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
    /// How far a greater score hides a lesser one.
    private static let peakSteps = 3
    private static let peakDopplers = 1

    private let profile: FSKProfile
    private let dopplerReach: Int
    private let subBandCount: Int
    /// For each Doppler: the columns of votes with the step of their symbol.
    private let dataTerms: [[(column: Int, step: Int)]]
    /// For each Doppler and lane: the columns of ratios.
    private let syncTerms: [[(column: Int, step: Int)]]
    /// For each Doppler: the columns of votes of the sync symbols.
    private let syncVoteTerms: [[(column: Int, step: Int)]]
    private let timeScales: [Double]
    private var scores: ScratchBuffer<Float>
    private var sums: ScratchBuffer<Float>
    private var offsets: ScratchBuffer<Int>

    /// Steps from a frame's first one to its last.
    let reachSteps: Int

    init(profile: FSKProfile, field: ToneField) {
        self.profile = profile
        dopplerReach = field.dopplerReach
        subBandCount = profile.tones.subBandCount
        let dopplers = -field.dopplerReach...field.dopplerReach
        timeScales = dopplers.map { field.timeScale(ofDoppler: $0) }
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
        dataTerms = timeScales.map { timeScale in layouts[0].dataSymbols.map { vote($0, timeScale) } }
        syncVoteTerms = timeScales.map { timeScale in layouts[0].syncs.map { vote($0.symbol, timeScale) } }
        syncTerms = timeScales.flatMap { timeScale in
            layouts.map { layout in
                layout.syncs.map { sync in
                    let tone = sync.tone + TonePlan.toneCount * profile.tones.subBand(ofSymbol: sync.symbol)
                    return (field.bin(ofTone: tone, timeScale: timeScale), step(sync.symbol, timeScale))
                }
            }
        }
        reachSteps = step(profile.searchedSymbolCount, -TonePlan.greatestTimeScale) + FSKAcquisition.peakSteps
        let width = ToneField.blockSteps + 2 * FSKAcquisition.peakSteps
        scores = ScratchBuffer(
            count: timeScales.count * FSKFrameLayout.laneCount * width, repeating: 0)
        sums = ScratchBuffer(count: 2 * width, repeating: 0)
        offsets = ScratchBuffer(count: profile.searchedSymbolCount, repeating: 0)
    }

    /// Adds the candidates that begin in `ToneField.blockSteps` steps from `first` on. The field must hold
    /// ``FSKAcquisition/peakSteps`` before them and ``reachSteps`` more after them.
    mutating func search(
        _ field: ToneField, from first: Int, least: Float, into candidates: inout [FSKCandidate]
    ) {
        let lead = FSKAcquisition.peakSteps
        let width = ToneField.blockSteps + 2 * lead
        let lanes = FSKFrameLayout.laneCount
        let scores = self.scores.claim()
        let votes = sums.claim()
        let syncs = votes + width
        for doppler in timeScales.indices {
            add(dataTerms[doppler], of: field.votes, from: first - lead, width, into: votes)
            for lane in 0..<lanes {
                add(
                    syncTerms[doppler * lanes + lane], of: field.ratios, from: first - lead, width,
                    into: syncs)
                let row = scores + (doppler * lanes + lane) * width
                for i in 0..<width { row[i] = votes[i] + syncs[i] }
            }
        }
        for row in 0..<timeScales.count * lanes {
            for i in lead..<width - lead where scores[row * width + i] >= FSKAcquisition.leastScore {
                let candidate = FSKCandidate(
                    start: Double((first - lead + i) * profile.tones.stepSamples),
                    timeScale: timeScales[row / lanes], lane: row % lanes, score: scores[row * width + i],
                    contrast: contrast(field, row: row, step: first - lead + i))
                guard candidate.rank >= least, candidate.contrast >= FSKAcquisition.leastContrast,
                    isPeak(scores, width, doppler: row / lanes, i, row: row),
                    isEven(field, row: row, step: first - lead + i, score: candidate.score)
                else { continue }
                candidates.append(candidate)
            }
        }
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
        let syncs = syncTerms[row].reduce(Float(0)) {
            $0 + field.ratios.values[field.ratios.place(column: $1.column, row: step + $1.step)]
        }
        return syncVoteTerms[row / FSKFrameLayout.laneCount].reduce(syncs) {
            $0 - field.votes.values[field.votes.place(column: $1.column, row: step + $1.step)]
        }
    }

    /// Whether every quarter of the frame has its part: out of step with a strong frame, some have nothing.
    private func isEven(_ field: ToneField, row: Int, step: Int, score: Float) -> Bool {
        let terms = dataTerms[row / FSKFrameLayout.laneCount]
        let least = FSKAcquisition.leastShare * score / 4 - FSKAcquisition.shareAllowance
        return (0..<4).allSatisfy { quarter in
            let part = terms[quarter * terms.count / 4..<(quarter + 1) * terms.count / 4]
            return part.reduce(Float(0)) {
                $0 + field.votes.values[field.votes.place(column: $1.column, row: step + $1.step)]
            } >= least
        }
    }

    private func isPeak(
        _ scores: UnsafePointer<Float>, _ width: Int, doppler: Int, _ i: Int, row: Int
    ) -> Bool {
        let score = scores[row * width + i]
        let lanes = FSKFrameLayout.laneCount
        let first = max(0, doppler - FSKAcquisition.peakDopplers)
        let last = min(timeScales.count - 1, doppler + FSKAcquisition.peakDopplers)
        for other in stride(from: first * lanes + row % lanes, through: last * lanes + row % lanes, by: lanes)
        {
            for j in i - FSKAcquisition.peakSteps...i + FSKAcquisition.peakSteps {
                let rival = scores[other * width + j]
                if rival > score || (rival == score && (other, j) < (row, i)) { return false }
            }
        }
        return true
    }
}
