import CKernels
import Glibc
import Signal

/// The energies of half-tone bins in windows an eighth of a symbol apart, and the evidence for tones.
///
///     baseband ─ DFT of each window ─▶ energies ─ whitened ─▶ ─ loud floor ─▶ log likelihood ratios, votes
///
/// Values stand by columns, time inmost, so that the search adds up stretches of time. Streaming.
struct ToneField: Sendable {
    let plan: TonePlan
    /// The hypotheses of Doppler: half a tone apart at the carrier, `-reach ... reach`.
    let dopplerReach: Int
    /// The number of windows whitened together, with one estimate of the noise.
    static let blockSteps = 92

    /// The width of a block in whole vectors, and with a walker's later windows.
    private static let blockWidth = (blockSteps + 7) & ~7
    private static let columnSteps = blockWidth + SpreadField.laterSteps

    /// The signal-to-noise ratio of a symbol that the search expects.
    private static let expectedSNR: Float = 4
    private static let mostEnergy: Float = 32
    /// The windows to either side that measure loudness, and the greatest height of a tone over the floor.
    private static let loudReach = 7 * TonePlan.stepsPerSymbol
    private static let loudCeiling: Float = 60
    /// The most that a window's noise may exceed the floor; louder windows are brought down to it. Steady
    /// noise is louder once in 1000 windows; sound that comes and goes would look like tones.
    private static let mostNoise: Float = 1.5
    /// The symbols of samples, and the steps, that stay after their use, so that the others move less often.
    private static let mostUsedSymbols = 8
    private static let mostUsedSteps = 4 * blockSteps
    /// The steps that must be there before the first noise estimate.
    private static let warmUpSteps = 4 * blockSteps

    private let transform: FFT
    private let firstBin: Int
    let binCount: Int
    /// The half-tone bins that tones fall on without Doppler, for the loud floor.
    private let bandBins: Range<Int>
    private let table: ToneTable

    /// Samples, of which the first ``pendingStart`` begin no window any more.
    private var pending: [Complex] = []
    private var pendingStart = 0
    private var window: ScratchBuffer<Complex>
    private var spectrum: ScratchBuffer<Complex>
    private var floor: ToneFloor
    private var raw: EnergyRows
    /// A block's energies by columns `[binCount][columnSteps]`, the gains that bring each step's tones under
    /// the ceiling `[blockWidth]`, likelihoods `[binCount][blockWidth]`, sums of a sub-band's `[blockWidth]`.
    private var columns: ScratchBuffer<Float>
    private var gains: ScratchBuffer<Float>
    private var likelihoods: ScratchBuffer<Float>
    private var sums: ScratchBuffer<Float>
    /// The energies of a step over the floor. `[bandBins.count]`
    private var whitened: ScratchBuffer<Float>
    private var loudSpectrum: LoudSpectrum
    /// The offsets of a sub-band's tones among the likelihoods, from the first one.
    private let toneRows: [Int]
    /// For steps `start ..< end`: each bin's log likelihood ratio; and for each Doppler and sub-band the log
    /// of the mean likelihood over its tones, column `doppler · subBandCount + subBand`.
    private(set) var ratios: ColumnRing
    private(set) var votes: ColumnRing
    /// The same values for a walker.
    private(set) var spread: SpreadField?
    private(set) var noiseHistory: [(end: SamplePosition, noise: [Float])] = []
    /// The oldest step whose ratios and votes are still read.
    private var oldestRead: SamplePosition = 0

    /// - Parameter keptSteps: the steps for which ratios and votes are kept at first; see ``keep(from:)``.
    init(plan: TonePlan, keptSteps: Int, isForWalkers: Bool) {
        self.plan = plan
        let halfToneHz = plan.spacingHz / 2
        let greatestHz = TonePlan.greatestTimeScale * plan.frequencyHz(ofTone: plan.allToneCount - 1)
        dopplerReach = Int((greatestHz / halfToneHz).rounded(.up))
        transform = FFT(count: 2 * plan.symbolSamples)
        firstBin = 2 * plan.lowestBin - dopplerReach
        binCount = 2 * plan.allToneCount + 2 * dopplerReach
        bandBins = dopplerReach..<binCount - dopplerReach
        table = ToneTable(steady: ToneField.expectedSNR, scattered: 0, greatest: ToneField.mostEnergy)
        window = ScratchBuffer(count: 2 * plan.symbolSamples, repeating: .zero)
        spectrum = window
        floor = ToneFloor(binCount: binCount)
        raw = EnergyRows(binCount: binCount)
        columns = ScratchBuffer(count: binCount * ToneField.columnSteps, repeating: 0)
        gains = ScratchBuffer(count: ToneField.blockWidth, repeating: 1)
        likelihoods = ScratchBuffer(count: binCount * ToneField.blockWidth, repeating: 0)
        sums = gains
        loudSpectrum = LoudSpectrum(binCount: binCount, steps: ToneField.blockSteps)
        whitened = ScratchBuffer(count: bandBins.count, repeating: 0)
        toneRows = (0..<TonePlan.toneCount).map { 2 * $0 * ToneField.blockWidth }
        ratios = ColumnRing(columns: binCount, capacity: keptSteps)
        votes = ColumnRing(columns: (2 * dopplerReach + 1) * plan.subBandCount, capacity: keptSteps)
        spread = isForWalkers ? SpreadField(dopplerReach: dopplerReach, capacity: keptSteps) : nil
    }

    /// The range of whitened steps.
    var start: SamplePosition { ratios.start }
    var end: SamplePosition { ratios.end }

    /// Returns the bin that a tone falls on at a time scale.
    func bin(ofTone tone: Int, timeScale: Double) -> Int {
        let hertz = plan.frequencyHz(ofTone: tone) * (1 + timeScale) - plan.carrierHz
        return Int((2 * hertz / plan.spacingHz).rounded()) - firstBin
    }

    /// Returns the time scale of a Doppler hypothesis, `-dopplerReach ... dopplerReach`.
    func timeScale(ofDoppler doppler: Int) -> Double {
        Double(doppler) * plan.spacingHz / 2 / plan.frequencyHz(ofTone: plan.allToneCount - 1)
    }

    /// Keeps ratios and votes from a step on; the step never goes back.
    mutating func keep(from step: SamplePosition) { oldestRead = step }

    mutating func append(_ fresh: ArraySlice<Complex>) {
        pending += fresh
        while pending.count - pendingStart >= plan.symbolSamples {
            addStep(from: pendingStart)
            pendingStart += plan.stepSamples
        }
        if pendingStart >= ToneField.mostUsedSymbols * plan.symbolSamples {
            pending.removeFirst(pendingStart)
            pendingStart = 0
        }
        while canWhiten { whiten() }
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout ToneField) {
        swap(&window, &other.window)
        swap(&spectrum, &other.spectrum)
        swap(&columns, &other.columns)
        swap(&gains, &other.gains)
        swap(&likelihoods, &other.likelihoods)
        swap(&sums, &other.sums)
        swap(&whitened, &other.whitened)
        swap(&loudSpectrum, &other.loudSpectrum)
    }

    private var canWhiten: Bool {
        raw.end - end >= ToneField.blockSteps
            + max(ToneField.loudReach, ToneField.columnSteps - ToneField.blockSteps)
            && (end > 0 || raw.count >= ToneField.warmUpSteps)
    }

    private mutating func addStep(from first: Int) {
        let window = self.window.claim()
        let spectrum = self.spectrum.claim()
        let count = plan.symbolSamples
        pending.withUnsafeBufferPointer { window.copy(from: $0.baseAddress! + first, count: count) }
        (window + count).update(repeating: .zero, count: count)
        transform.forward(window, into: spectrum)
        // Negative frequencies stand at the end of the spectrum.
        let negative = min(max(-firstBin, 0), binCount)
        let isSymbol = raw.end % TonePlan.stepsPerSymbol == 0
        raw.append { row in
            _ = Kernels.powers(spectrum + 2 * count + firstBin, negative, into: row)
            _ = Kernels.powers(spectrum + firstBin + negative, binCount - negative, into: row + negative)
            if isSymbol { floor.add(row) }
        }
    }

    private mutating func whiten() {
        let first = end
        makeRoom()
        let noise = floor.noise()
        let inverse = noise.map { 1 / $0 }
        noiseHistory.append((first + ToneField.blockSteps, noise))
        let columns = self.columns.claim()
        let gains = self.gains.claim()
        let likelihoods = self.likelihoods.claim()
        // The loop runs to the end of the last vector: values there are looked up but count for nothing.
        gains.update(repeating: 1, count: ToneField.blockWidth)
        for (i, loudness) in loudness(about: first..<first + ToneField.blockSteps, inverse).enumerated() {
            gains[i] = 1 / max(1, loudness, noiseRise(ofStep: first + i, inverse))
        }
        raw.withRows(from: first) {
            Kernels.transpose(
                $0, rowCount: ToneField.columnSteps, stride: binCount, columns: binCount, into: columns,
                outStride: ToneField.columnSteps)
            loudSpectrum.flatten(
                $0, inverse, gains: gains, steps: ToneField.blockSteps, columns: columns,
                stride: ToneField.columnSteps)
        }
        let (stride, table) = (ratios.stride, table)  // read in place, each call would retain it
        ratios.append(ToneField.blockSteps) { ratios in
            for bin in 0..<binCount {
                nbk_prefetch(ratios + (bin + 2) * stride, ToneField.blockWidth)
                table.lookUp(
                    columns + bin * ToneField.columnSteps, scale: inverse[bin], gains: gains,
                    ToneField.blockWidth, ratios: ratios + bin * stride,
                    likelihoods: likelihoods + bin * ToneField.blockWidth)
            }
        }
        vote(likelihoods)
        spread?.append(
            columns, stride: ToneField.columnSteps, scale: inverse, gains: gains, ToneField.blockSteps)
        // The next block's loudness still needs the rest.
        let used = first + ToneField.blockSteps - ToneField.loudReach
        if used - raw.start >= ToneField.mostUsedSteps { raw.drop(before: used) }
    }

    /// Grows the rings, which hold what a search usually reads, while a search lies behind.
    private mutating func makeRoom() {
        let needed = end - oldestRead + ToneField.blockSteps
        ratios.grow(toCapacity: needed)
        votes.grow(toCapacity: needed)
        spread?.grow(toCapacity: needed)
    }

    /// Computes the log of the mean likelihood over all tones, for each Doppler and sub-band.
    ///
    /// Shape: likelihoods `[binCount][blockWidth]`.
    private mutating func vote(_ likelihoods: UnsafePointer<Float>) {
        let reach = 2 * TonePlan.toneCount
        let width = ToneField.blockWidth
        let sums = self.sums.claim()
        let columnStride = votes.stride
        votes.append(ToneField.blockSteps) { votes in
            // Tones stand two bins apart: a sliding sum over every second bin.
            for column in 0..<2 * plan.subBandCount {
                let (subBand, parity) = column.quotientAndRemainder(dividingBy: 2)
                let lowest = subBand * reach + parity
                toneRows.withUnsafeBufferPointer {
                    Kernels.sumRows(likelihoods + lowest * width, offsets: $0, width, into: sums)
                }
                for doppler in stride(from: parity, through: 2 * dopplerReach, by: 2) {
                    let last = subBand * reach + doppler
                    let next = min(last + reach, binCount - 1)
                    let row = votes + (doppler * plan.subBandCount + subBand) * columnStride
                    nbk_prefetch(row + 2 * plan.subBandCount * columnStride, width)
                    Kernels.slideLogarithms(
                        sums, adding: likelihoods + next * width, dropping: likelihoods + last * width,
                        share: 1 / Float(TonePlan.toneCount), least: 1e-9, width, into: row)
                }
            }
        }
    }

    /// Returns the factor by which each step is too loud for its tones to stay under the ceiling: where a
    /// signal is far over the noise, its own echoes are the floor.
    private func loudness(about steps: Range<SamplePosition>, _ inverse: [Float]) -> [Float] {
        let reach = ToneField.loudReach
        let first = max(raw.start, steps.lowerBound - reach)
        let last = min(raw.end, steps.upperBound + reach)
        let share = Float(TonePlan.toneCount * plan.subBandCount) / ToneField.loudCeiling
        var sums: [Float] = [0]
        for step in first..<last {
            let sum = raw.withRows(from: step) { row in
                inverse.withUnsafeBufferPointer {
                    Kernels.dot(
                        row + bandBins.lowerBound, $0.baseAddress! + bandBins.lowerBound, bandBins.count)
                }
            }
            sums.append(sums.last! + (sum / Float(bandBins.count) - 1) * share)
        }
        return steps.map { step in
            let (a, b) = (max(first, step - reach), min(last, step + reach + 1))
            return (sums[b - first] - sums[a - first]) / Float(b - a)
        }
    }

    /// Returns the height of a window's noise over the floor without tones, or 1 where it is little: four
    /// fifths of its bins have less than ln 5 times their mean.
    private mutating func noiseRise(ofStep step: SamplePosition, _ inverse: [Float]) -> Float {
        let whitened = self.whitened.claim()
        raw.withRows(from: step) { row in
            inverse.withUnsafeBufferPointer { inverse in
                let (row, scale) = (row + bandBins.lowerBound, inverse.baseAddress! + bandBins.lowerBound)
                for bin in 0..<bandBins.count { whitened[bin] = row[bin] * scale[bin] }
            }
        }
        let most = ToneField.mostNoise * ToneGrid.noiseAtFourFifths
        let rank = bandBins.count * 4 / 5
        guard Kernels.count(whitened, bandBins.count, by: 1, below: most) <= rank else { return 1 }
        return Kernels.value(at: rank, of: whitened, bandBins.count, least: most)
            / ToneGrid.noiseAtFourFifths
    }

    /// Returns the mean energies of noise about `step`, in each half-tone bin.
    func noise(at step: SamplePosition) -> [Float] {
        (noiseHistory.first { $0.end > step } ?? noiseHistory.last)?.noise
            ?? [Float](repeating: 1, count: binCount)
    }

    mutating func drop(before step: SamplePosition) {
        while noiseHistory.count > 1, noiseHistory[0].end <= step { noiseHistory.removeFirst() }
    }
}
