import CKernels
import Glibc
import Signal

/// A search for frames too faint to be found alone, sent again at the standard gap: it adds up the scores of
/// acquisition over repeats.
///
///     | frame |  | frame |  | frame |  | frame |      P: a frame and the gap after it, in the sender's time
///       t−3P       t−2P        t−P        t
///
///     joint(t, v) = max over n of Σ_k<n near(t − k P, v)   near: ln mean of e^score over neighbours
///
/// Scores are log likelihood ratios: noise lowers each of them, and n frames stand out as far as one that is
/// n times as strong. The newest one must be there: those before it were added up in their turn. Without
/// this, any loud frame would be a candidate again, three times, with nothing after it.
struct FSKRepeatSearch: Sendable {
    /// Frames that may be one token's.
    struct Candidate: Sendable {
        /// The frames, the newest first.
        var frames: [FSKCandidate]
        var tokenClass: TokenClass
        /// The nats of all of them.
        var score: Float
    }

    /// The ways in which the newest frame may have repeats before it, by class and number, for one Doppler.
    private struct Hypotheses {
        var tokenClasses: [TokenClass] = []
        /// The steps from the newest frame back to the earliest of each way. The entries before it, back to
        /// the one where a class begins, have the frames between.
        var lags: [Int] = []
        var isFirst: [UInt8] = []

        /// Returns all lags of one way, with 0 first.
        func lags(of kind: Int) -> [Int] {
            let first = isFirst[...kind].lastIndex { $0 != 0 }!
            return [0] + lags[first...kind]
        }
    }

    private static let mostFrames = 4
    /// The greatest reach back in time. Long frames are added up in smaller numbers.
    private static let reachSeconds = 9.0
    /// The nats of a frame that was not heard, and the nats beyond which more does not count.
    private static let leastScore: Float = -30
    private static let mostScore: Float = 60
    /// The number of steps and Dopplers within which a greater score hides a lesser one.
    private static let peakSteps = 2
    private static let peakDopplers = 2
    /// A block with `peakSteps` to either side, in whole vectors.
    private static let width = ToneField.blockSteps + 2 * peakSteps
    /// A block with a step to either side, in whole vectors.
    private static let nearWidth = (ToneField.blockSteps + 2 + 7) & ~7

    private let profile: FSKProfile
    private let dopplers: DopplerHypotheses
    /// The hypotheses of each Doppler.
    private let hypotheses: [Hypotheses]
    /// The number of steps that are kept.
    let reachSteps: Int
    /// The scores and those of their neighbourhoods; column `doppler · lanes + lane`.
    private var scores: ColumnRing
    private var near: ColumnRing
    private var likelihoods: ScratchBuffer<Float>
    private var sums: ScratchBuffer<Float>
    /// The greatest sum of each cell, and the index of its hypothesis. `[columns][width]`
    private var joint: ScratchBuffer<Float>
    private var which: ScratchBuffer<Int32>
    /// One value for each lane of a Doppler.
    private typealias Lanes = SIMD4<Float>
    /// The greatest value of each column of `near` in each block, a ring in time; and, for each column, true
    /// if any sum may be enough. The most that a block can bring rules out noise, which has next to none.
    /// `[block][Dopplers]`, `[columns]`
    private var greatest: [Lanes]
    private let keptBlocks: Int
    private var isOpen: [Bool]
    /// The places of the rows of each hypothesis, relative to the newest one's.
    private var offsets: ScratchBuffer<Int>

    init(profile: FSKProfile, dopplers: DopplerHypotheses) {
        (self.profile, self.dopplers) = (profile, dopplers)
        let stepsPerSecond = profile.tones.basebandRateHz / Double(profile.tones.stepSamples)
        let reachSteps = Int(FSKRepeatSearch.reachSeconds * stepsPerSecond)
        hypotheses = dopplers.timeScales.map { timeScale in
            var hypotheses = Hypotheses()
            for tokenClass in TokenClass.allCases {
                let seconds = profile.durationSeconds(tokenClass) + WaveformProfile.standardGapSeconds
                for earlier in 1..<FSKRepeatSearch.mostFrames {
                    let lag = Int((Double(earlier) * seconds * stepsPerSecond / (1 + timeScale)).rounded())
                    guard lag <= reachSteps else { break }
                    hypotheses.tokenClasses.append(tokenClass)
                    hypotheses.lags.append(lag)
                    hypotheses.isFirst.append(earlier == 1 ? 1 : 0)
                }
            }
            return hypotheses
        }
        self.reachSteps = reachSteps
        precondition(FSKRepeatSearch.width % 16 == 0, "as the kernel takes them")
        let columns = dopplers.columnCount
        // Nothing precedes the beginning of a recording.
        scores = ColumnRing(
            columns: columns, capacity: reachSteps + FSKRepeatSearch.width,
            filled: reachSteps + FSKRepeatSearch.width,
            with: FSKRepeatSearch.leastScore)
        near = scores
        likelihoods = ScratchBuffer(count: columns * FSKRepeatSearch.nearWidth + 2, repeating: 0)
        sums = ScratchBuffer(count: FSKRepeatSearch.width, repeating: 0)
        joint = ScratchBuffer(count: columns * FSKRepeatSearch.width, repeating: 0)
        which = ScratchBuffer(count: columns * FSKRepeatSearch.width, repeating: 0)
        offsets = ScratchBuffer(count: hypotheses.map { $0.lags.count }.max() ?? 0, repeating: 0)
        keptBlocks = reachSteps / ToneField.blockSteps + 4
        precondition(Lanes.scalarCount == FSKFrameLayout.laneCount, "a vector of lanes")
        greatest = [Lanes](
            repeating: Lanes(repeating: FSKRepeatSearch.leastScore), count: keptBlocks * hypotheses.count)
        isOpen = [Bool](repeating: false, count: columns)
    }

    /// Takes the scores of a block, and finds repeats whose newest frame began in it or some steps before.
    ///
    /// - Parameters:
    ///   - first: the step that the block begins with.
    ///   - table: a row of `stride` for each Doppler and lane; the block begins `lead` ≥ 1 after the row
    ///     does.
    mutating func search(
        _ table: UnsafePointer<Float>, stride: Int, lead: Int, first: SamplePosition,
        into candidates: inout [Candidate]
    ) {
        remember(table, stride: stride, lead: lead)
        // The ring counts from the rows that filled it first.
        let origin = first + ToneField.blockSteps - near.end
        add()
        let width = FSKRepeatSearch.width
        let (joint, which) = (self.joint.claim(), self.which.claim())
        for column in 0..<near.columns where isOpen[column] {
            let hypotheses = hypotheses[column / FSKFrameLayout.laneCount]
            let isSpread = dopplers.isWalker(column: column)
            let least = least(column: column)
            for i in FSKRepeatSearch.peakSteps..<width - FSKRepeatSearch.peakSteps {
                let cell = column * width + i
                guard joint[cell] >= least,
                    dopplers.isPeak(
                        joint, width: width, column: column, i, steps: FSKRepeatSearch.peakSteps,
                        dopplers: FSKRepeatSearch.peakDopplers)
                else { continue }
                let kind = Int(which[cell])
                let frames = hypotheses.lags(of: kind).map {
                    frame(column: column, row: near.end - width + i - $0, origin)
                }
                if isSpread, !areOwn(frames) { continue }
                candidates.append(
                    Candidate(frames: frames, tokenClass: hypotheses.tokenClasses[kind], score: joint[cell]))
            }
        }
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout FSKRepeatSearch) {
        swap(&likelihoods, &other.likelihoods)
        swap(&sums, &other.sums)
        swap(&joint, &other.joint)
        swap(&which, &other.which)
        swap(&offsets, &other.offsets)
    }

    private mutating func remember(_ table: UnsafePointer<Float>, stride: Int, lead: Int) {
        let count = ToneField.blockSteps
        let width = FSKRepeatSearch.nearWidth
        let likelihoods = self.likelihoods.claim()
        let sums = self.sums.claim()
        let columnStride = scores.stride
        scores.append(count) { scores in
            for column in 0..<dopplers.columnCount {
                nbk_prefetch(scores + (column + 2) * columnStride, count)
                let from = table + column * stride + lead - 1
                Kernels.exponentials(
                    from, atMost: FSKRepeatSearch.mostScore, width, into: likelihoods + column * width)
                (scores + column * columnStride).copy(from: from + 1, count: count)
            }
        }
        let floor = exp(FSKRepeatSearch.leastScore)
        let greatest = block(ofRow: near.end) % keptBlocks * hypotheses.count
        near.append(count) { near in
            for column in 0..<dopplers.columnCount {
                var places = InlineArray<9, Int>(repeating: 0)
                var count = 0
                for other in dopplers.neighbours(column, within: 1) {
                    for step in 0..<3 { places[count + step] = other * width + step }
                    count += 3
                }
                places.span.extracting(first: count).withUnsafeBufferPointer {
                    Kernels.sumRows(likelihoods, offsets: $0, width, into: sums)
                }
                let rows = near + column * columnStride
                nbk_prefetch(rows + 2 * columnStride, width)
                let (doppler, lane) = column.quotientAndRemainder(dividingBy: FSKFrameLayout.laneCount)
                self.greatest[greatest + doppler][lane] = Kernels.logarithms(
                    sums, by: 1 / Float(count), plus: floor, width, into: rows)
            }
        }
    }

    /// Computes the joint scores of the last steps, the best of each cell.
    private mutating func add() {
        let width = FSKRepeatSearch.width
        let first = near.end - width
        let (joint, which, offsets) = (self.joint.claim(), self.which.claim(), self.offsets.claim())
        near.values.withUnsafeBufferPointer { values in
            for (doppler, hypotheses) in hypotheses.enumerated() {
                let newest = near.place(column: 0, row: first)
                for i in hypotheses.lags.indices {
                    offsets[i] = near.place(column: 0, row: first - hypotheses.lags[i]) - newest
                }
                let kinds = UnsafeBufferPointer(start: offsets, count: hypotheses.lags.count)
                let most = greatestSum(doppler, hypotheses, first)
                for lane in 0..<FSKFrameLayout.laneCount {
                    let column = doppler * FSKFrameLayout.laneCount + lane
                    isOpen[column] = most[lane] >= least(column: column)
                    guard isOpen[column] else {
                        (joint + column * width).update(repeating: FSKRepeatSearch.leastScore, count: width)
                        continue
                    }
                    let newest = values.baseAddress! + near.place(column: column, row: first)
                    let best = joint + column * width
                    Kernels.jointSums(
                        newest, offsets: kinds, isFirst: hypotheses.isFirst,
                        gain: Thresholds.fsk.repeatGainNats, least: FSKRepeatSearch.leastScore, best: best,
                        which: which + column * width, width)
                    for i in 0..<width where newest[i] < Thresholds.fsk.repeatFrameNats {
                        best[i] = FSKRepeatSearch.leastScore
                    }
                }
            }
        }
    }

    /// Returns the least nats of a candidate.
    private func least(column: Int) -> Float {
        dopplers.isWalker(column: column) ? Thresholds.fsk.spreadRepeatNats : Thresholds.fsk.repeatNats
    }

    /// Returns an upper bound on the sums of each lane's cells from row `first` on.
    private func greatestSum(_ doppler: Int, _ hypotheses: Hypotheses, _ first: SamplePosition) -> Lanes {
        let own = greatest(doppler, from: first)
        var (sum, most) = (own, Lanes(repeating: -.infinity))
        for (i, lag) in hypotheses.lags.enumerated() {
            sum = (hypotheses.isFirst[i] != 0 ? own : sum) + greatest(doppler, from: first - lag)
            most.replace(with: sum, where: sum .> most)
        }
        return most
    }

    /// Returns an upper bound on the rows of a block from `first` on.
    private func greatest(_ doppler: Int, from first: SamplePosition) -> Lanes {
        var most = Lanes(repeating: FSKRepeatSearch.leastScore)
        let blocks = block(ofRow: first)...block(ofRow: first + FSKRepeatSearch.width - 1)
        for block in blocks where block >= 0 {
            let lanes = greatest[block % keptBlocks * hypotheses.count + doppler]
            most.replace(with: lanes, where: lanes .> most)
        }
        return most
    }

    /// Returns the block of a row; −1 for rows that filled the ring at first.
    private func block(ofRow row: SamplePosition) -> SamplePosition {
        let rows = row - near.filled
        return rows < 0 ? -1 : rows / ToneField.blockSteps
    }

    /// Returns true if sync tones support a walker's frames. Sound that comes and goes has all other
    /// evidence, too.
    private func areOwn(_ frames: [FSKCandidate]) -> Bool {
        let contrast = frames.reduce(0) { $0 + $1.score - Thresholds.fsk.spreadNats }
        return contrast
            >= (frames.count == 2 ? Thresholds.fsk.spreadPairContrast : Thresholds.fsk.spreadContrast)
    }

    /// Returns the best place of a neighbourhood.
    private func frame(column: Int, row: SamplePosition, _ origin: Int) -> FSKCandidate {
        var best = FSKCandidate(
            start: 0, timeScale: 0, lane: column % FSKFrameLayout.laneCount, score: -.infinity, contrast: 0)
        best.isSpread = dopplers.isWalker(column: column)
        for other in dopplers.neighbours(column, within: 1) {
            for step in max(row - 1, scores.start)...min(row + 1, scores.end - 1) {
                let score = scores.values[scores.place(column: other, row: step)]
                guard score > best.score else { continue }
                best.score = score
                best.timeScale = dopplers.timeScale(column: other)
                best.start = Double((step + origin) * profile.tones.stepSamples)
            }
        }
        return best
    }
}
