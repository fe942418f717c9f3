import Glibc
import Signal

/// A search for diffuse energy: rooms in which every single path may be under the gate, but not all together.
///
/// The echoes of cluster a of a frame appear again at its neighbour b, turned by the Doppler:
///
///     X_ab = Σ_tail c(t + o_a) c*(t + o_b)   clusters one and two apart, in every second block of 16
///     D(f) = Re Σ_ab X_ab e^{jω(o_a − o_b)} / energy           at sixteen Dopplers, in every other bin
///
/// Where D stands out, powers are summed coherently over all clusters, at every fine Doppler and lane:
///
///     powers   ▁▁▂▁█▁▆▃▁▅▁▂▃▁▁▁     Σ_k d^k (z_k − 1)
struct EchoTailSearch: Sendable {
    private static let blockSamples = 16
    /// The products of a block: every second sample is enough, as neighbouring samples are much alike.
    private static let blockProducts = blockSamples / 2
    /// The decay of the tail: its weight 1/150 s later. It falls to e⁻¹ in 20 ms.
    private static let decay = (weight: 0.72, perSecond: 150.0)
    /// The time after the last start that its tail may reach, and the least distance between tails.
    private static let tailSeconds = 8.0 / 150
    private static let apartSeconds = 2.0 / 150
    private static let dopplers = 16
    /// The most coherent looks in one search, and in one of sound whose energy says nothing about rooms.
    private static let mostLooks = 8
    private static let mostUnmeasuredLooks = 4
    private static let usualLooks = 256
    /// The greatest distance between the clusters of a pair: farther ones need finer Dopplers.
    private static let farthestPair = 2
    private static let energyStep = 3
    /// The coherent powers, a chip apart, and those of them before the blocks' peak.
    private static let delaysBefore = 14
    private static let delayCount = 52
    /// The number of delays that share one noise level if the level changes.
    private static let levelDelays = 8
    private static let powerDecay: Float = 0.9556
    private static let powerGain: Float = 0.25

    private let grid: SearchGrid
    private let burst: BurstGrid
    /// The pairs of clusters one and two apart, as places in a bin's row of offsets.
    private let pairs: [(a: Int, b: Int)]
    /// The factors of products: clusters' signs and turns, and the Doppler of a bin's middle, `[bin][pair]`.
    private let turns: [Complex]
    /// e^{jω(o_a − o_b)} of Dopplers to half a bin above the middle: `[bin][pair][re, im][dopplers / 2]`.
    private let dopplerTurns: [Float]
    /// The standard deviation of D in noise of energy 1.
    private let deviation: Float
    /// ``decay``, ``tailSeconds`` and ``apartSeconds`` in blocks.
    private let blockDecay: Float
    private let tailBlocks: Int
    private let apartBlocks: Int
    private let blockCount: Int
    /// ``blockCount``, rounded up to whole vectors.
    private let blockWidth: Int
    /// The columns of a bin by their place in a block, re and im: twice `[blockSamples][phaseWidth]`.
    private let phaseWidth: Int
    private var phases: ScratchBuffer<Float>
    /// The products, twice `[pair][blockWidth]`, and the energies, `[blockWidth]`.
    private var products: ScratchBuffer<Float>
    private var energies: ScratchBuffer<Float>
    private var peaks: ScratchBuffer<Float>
    private var places: ScratchBuffer<UInt8>
    /// `[delayCount][GroupSums.rowCount][fineCount]`
    private var powers: ScratchBuffer<Float>
    private var looks: [Look] = []
    private var productGate = Thresholds.dsss.tailProductGate
    /// A place at which products stand out, which earns a look at the coherent powers.
    private struct Look {
        var bin: Int
        /// The Doppler from the bin's middle.
        var offsetHz: Double
        var position: SamplePosition
        var sum: Float
    }

    /// The tails that the last search found.
    private(set) var found: [EchoTail] = []

    init(grid: SearchGrid, burst: BurstGrid) {
        self.grid = grid
        self.burst = burst
        let clusters = grid.clusterCount
        let pairs = (0..<clusters).flatMap { a in
            (a + 1...a + EchoTailSearch.farthestPair).filter { $0 < clusters }.map { (a: a, b: $0) }
        }
        self.pairs = pairs
        var turns: [Complex] = []
        var dopplerTurns: [Float] = []
        for bin in 0..<grid.binCount {
            func turn(_ pair: (a: Int, b: Int), offsetHz: Double) -> Complex {
                grid.gateTurn(bin: bin, cluster: pair.a, offsetHz: offsetHz)
                    * grid.gateTurn(bin: bin, cluster: pair.b, offsetHz: offsetHz).conjugate
            }
            for pair in pairs {
                let middleHz = grid.binOffsetHz(bin)
                let middle = turn(pair, offsetHz: middleHz)
                turns.append(middle)
                let shifted = (EchoTailSearch.dopplers / 2..<EchoTailSearch.dopplers).map { step in
                    let shiftHz = EchoTailSearch.shift(step) * grid.binWidthHz
                    return turn(pair, offsetHz: middleHz + shiftHz) * middle.conjugate
                }
                dopplerTurns += shifted.map { $0.re } + shifted.map { $0.im }
            }
        }
        (self.turns, self.dopplerTurns) = (turns, dopplerTurns)
        looks.reserveCapacity(EchoTailSearch.usualLooks)
        found.reserveCapacity(EchoTailSearch.mostLooks)
        let blockSeconds = Double(EchoTailSearch.blockSamples) / grid.profile.band.rateHz
        let decay = EchoTailSearch.decay
        blockDecay = Float(pow(decay.weight, decay.perSecond * blockSeconds))
        tailBlocks = Int((EchoTailSearch.tailSeconds / blockSeconds).rounded())
        apartBlocks = Int((EchoTailSearch.apartSeconds / blockSeconds).rounded())
        let weightSquares = 1 / (1 - blockDecay * blockDecay)
        deviation = (Float(pairs.count) * Float(EchoTailSearch.blockProducts) * weightSquares).squareRoot()
        blockCount = grid.searchedStarts / EchoTailSearch.blockSamples + tailBlocks
        blockWidth = (blockCount + 7) & ~7
        phaseWidth = blockWidth + grid.segmentSpanSamples / EchoTailSearch.blockSamples + 2
        phases = ScratchBuffer(count: 2 * EchoTailSearch.blockSamples * phaseWidth, repeating: 0)
        products = ScratchBuffer(count: 2 * pairs.count * blockWidth, repeating: 0)
        energies = ScratchBuffer(count: blockWidth, repeating: 0)
        peaks = ScratchBuffer(count: blockCount, repeating: 0)
        places = ScratchBuffer(count: blockCount, repeating: 0)
        powers = ScratchBuffer(
            count: EchoTailSearch.delayCount * GroupSums.rowCount * grid.fineCount, repeating: 0)
    }

    /// Finds tails that begin near `starts`.
    ///
    /// - Parameter isMeasured: true if energy speaks for a room at the searched starts.
    mutating func search(
        _ field: ClusterField, starts: Range<SamplePosition>, lanePrior: Float, isMeasured: Bool
    ) {
        let thresholds = Thresholds.dsss
        productGate = isMeasured ? thresholds.tailProductGate : thresholds.unmeasuredTailProductGate
        var looks = self.looks.takeForReuse()
        defer { self.looks = looks }
        // A cluster also responds to a neighbouring bin's Doppler, 2 dB fainter: every other bin is enough.
        let first = grid.coreBins.lowerBound + grid.coreBins.count / 2 % 2
        for bin in stride(from: first, to: grid.coreBins.upperBound, by: 2) {
            raisedProducts(field, bin, starts, &looks)
        }
        looks.withUnsafeMutableBufferPointer {
            $0.heapSort { ($0.sum, $1.position, $1.bin) > ($1.sum, $0.position, $0.bin) }
        }
        found.removeAll(keepingCapacity: true)
        let most = isMeasured ? EchoTailSearch.mostLooks : EchoTailSearch.mostUnmeasuredLooks
        for look in looks.prefix(most) {
            if let tail = coherentTail(field, look, lanePrior) {
                found.append(tail)
            }
        }
    }

    /// Finds the places at which the products of a bin's clusters stand out, each tail once.
    private mutating func raisedProducts(
        _ field: ClusterField, _ bin: Int, _ starts: Range<SamplePosition>, _ found: inout [Look]
    ) {
        let (re, width) = (self.products.claim(), blockWidth)
        let im = re + pairs.count * width
        let energies = self.energies.claim()
        multiply(field, bin, from: starts.lowerBound, intoRe: re, im: im, energies: energies)
        // The level that noise reaches overwrites the energies.
        let samplesPerBlock = Float(
            grid.clusterCount / EchoTailSearch.energyStep * EchoTailSearch.blockProducts)
        var energy: Float = 0
        var weight: Float = 0
        for block in stride(from: blockCount - 1, through: 0, by: -1) {
            energy = energy * blockDecay + energies[block]
            weight = weight * blockDecay + 1
            energies[block] =
                productGate * deviation * energy / (weight * samplesPerBlock)
        }
        let peaks = self.peaks.claim()
        let places = self.places.claim()
        dopplerTurns.withUnsafeBufferPointer {
            Kernels.dopplerTails(
                re: re, im: im, stride: width, blocks: blockCount, pairs: pairs.count,
                turns: $0.baseAddress! + bin * pairs.count * EchoTailSearch.dopplers,
                decay: blockDecay, least: energies, into: peaks, places: places)
        }
        func report(_ peak: (block: Int, sum: Float)) {
            found.append(
                look(
                    near: bin, places[peak.block], sum: peak.sum,
                    at: starts.lowerBound + peak.block * EchoTailSearch.blockSamples))
        }
        var last: (block: Int, sum: Float)?
        for block in stride(from: blockCount - tailBlocks - 1, through: 0, by: -1) {
            let sum = energies[block] > 0 ? peaks[block] / energies[block] : 0
            if let peak = last, peak.block - block > apartBlocks, sum <= peak.sum {
                report(peak)
                last = nil
            } else if sum > last?.sum ?? 1 {
                last = (block, sum)
            }
        }
        if let peak = last { report(peak) }
    }

    /// Computes the products of a bin's pairs, turned by its middle, `[pair][blockWidth]`, and the energies
    /// of some of its clusters, `[blockWidth]`.
    private mutating func multiply(
        _ field: ClusterField, _ bin: Int, from first: SamplePosition, intoRe re: UnsafeMutablePointer<Float>,
        im: UnsafeMutablePointer<Float>, energies: UnsafeMutablePointer<Float>
    ) {
        let (phaseRe, stride) = (phases.claim(), phaseWidth)
        let phaseIm = phaseRe + EchoTailSearch.blockSamples * stride
        field.withBin(bin) { values, _ in
            Kernels.polyphase(values.from(first), columns: stride, re: phaseRe, im: phaseIm, stride: stride)
        }
        energies.update(repeating: 0, count: blockWidth)
        grid.withGateOffsets(bin: bin) { offsets in
            for (index, pair) in pairs.enumerated() {
                Kernels.blockProducts(
                    re: phaseRe, im: phaseIm, stride: stride, offsets[pair.a], offsets[pair.b],
                    turn: turns[bin * pairs.count + index], blocks: blockWidth,
                    intoRe: re + index * blockWidth, im: im + index * blockWidth)
            }
            // One cluster in three gives the level well enough.
            for cluster in Swift.stride(from: 0, to: grid.clusterCount, by: EchoTailSearch.energyStep) {
                Kernels.blockEnergies(
                    re: phaseRe, im: phaseIm, stride: stride, offsets[cluster], blocks: blockWidth,
                    into: energies)
            }
        }
    }

    /// Returns the offset of a Doppler step, in bins from the bin's middle.
    private static func shift(_ step: Int) -> Double { (Double(step) + 0.5) / Double(dopplers / 2) - 1 }

    /// Returns a look in the core bin that a Doppler step about `bin` falls into.
    private func look(near bin: Int, _ step: UInt8, sum: Float, at position: SamplePosition) -> Look {
        let shift = EchoTailSearch.shift(Int(step))
        let core = grid.coreBins
        let shifted = min(max(bin + Int(shift.rounded()), core.lowerBound), core.upperBound - 1)
        let offsetHz = (Double(bin - shifted) + shift) * grid.binWidthHz
        return Look(bin: shifted, offsetHz: offsetHz, position: position, sum: sum)
    }

    /// Returns the groups of its bin that a look's Doppler may fall into: the one that the products show and
    /// the nearer one beside it. Of 103 tails that frames left in simulated rooms none stood farther than 1.4
    /// Hz from there, half a group.
    private func groups(of look: Look) -> Range<Int> {
        let place = (look.offsetHz / grid.binWidthHz + 0.5) * Double(grid.groupsPerBin)
        let first = min(max(Int((place - 1).rounded()), 0), max(grid.groupsPerBin - 2, 0))
        return first..<min(first + 2, grid.groupsPerBin)
    }

    /// Returns the greatest coherent tail about a look's start and Doppler, over lanes, if it stands out.
    private mutating func coherentTail(_ field: ClusterField, _ look: Look, _ lanePrior: Float) -> EchoTail? {
        let powers = self.powers.claim()
        let grid = grid
        let groups = groups(of: look)
        let fineCount = groups.count * SearchGrid.finePerGroup
        let rowCount = GroupSums.rowCount * fineCount
        func gain(_ position: SamplePosition) -> Float {
            burst.noiseGains(field, grid, bin: look.bin, group: groups.lowerBound, position)[0]
        }
        var level = gain(look.position)
        func start(_ delay: Int) -> SamplePosition {
            look.position
                + Int((Double(delay - EchoTailSearch.delaysBefore) * grid.samplesPerChip).rounded())
        }
        let hasSteps = field.hasSteps(
            from: start(0), span: start(EchoTailSearch.delayCount) - start(0) + grid.segmentSpanSamples)
        field.withBin(look.bin) { values, _ in
            for delay in 0..<EchoTailSearch.delayCount {
                if hasSteps, delay % EchoTailSearch.levelDelays == 0 {
                    level = gain(start(delay + EchoTailSearch.levelDelays / 2))
                }
                for (place, group) in groups.enumerated() {
                    GroupSums.addPowers(
                        values.from(start(delay)), grid, bin: look.bin, group: group, shift: 0,
                        gain: level,
                        to: powers + delay * rowCount + place * SearchGrid.finePerGroup, stride: fineCount,
                        adds: false)
                }
            }
        }
        var best: EchoTail?
        for lane in 0..<PilotPattern.laneCount {
            let prior = lane > 0 ? EchoTailSearch.powerGain * lanePrior : 0
            let least = max(best?.sum ?? 0, Thresholds.dsss.tailSum) + prior
            if let peak = Kernels.tailPeak(
                powers + lane * fineCount, rows: EchoTailSearch.delayCount, stride: rowCount,
                width: fineCount, decay: EchoTailSearch.powerDecay, gain: EchoTailSearch.powerGain,
                over: least)
            {
                best = EchoTail(
                    bin: look.bin, fine: groups.lowerBound * SearchGrid.finePerGroup + peak.column,
                    lane: lane, position: start(peak.row), sum: peak.value - prior)
            }
        }
        return best
    }
}
