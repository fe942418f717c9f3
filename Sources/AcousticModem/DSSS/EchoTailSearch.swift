import Glibc
import Signal

/// A search for diffuse energy: rooms in which every single path may be under the gate, but not all together.
///
/// The echoes of cluster a of a frame appear again at its neighbour b, turned by the Doppler:
///
///     X_ab = Σ_tail c(t + o_a) c*(t + o_b)   clusters one and two apart, in every second block of 16
///     D(f) = Re Σ_ab X_ab e^{jω(o_a − o_b)} / energy           at sixteen Dopplers, in every other bin
///
/// Several channels are as many more pairs: each channel's products count against its own noise.
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
    static let dopplers = 16
    /// The most coherent looks in one search, and in one of sound whose energy says nothing about rooms.
    private static let mostLooks = 8
    private static let mostUnmeasuredLooks = 4
    private static let usualLooks = 256
    /// The greatest distance between the clusters of a pair: farther ones need finer Dopplers.
    private static let farthestPair = 2
    private static let energyStep = 3
    /// The coherent powers, a chip apart, and those of them before the blocks' peak.
    static let delaysBefore = 14
    static let delayCount = 52
    /// The number of delays that share one noise level if the level changes.
    static let levelDelays = 8
    static let powerDecay: Float = 0.9556
    static let powerGain: Float = 0.25

    let grid: SearchGrid
    let burst: BurstGrid
    /// The pairs of clusters one and two apart, as places in a bin's row of offsets.
    private let pairs: [(a: Int, b: Int)]
    /// The factors of products: clusters' signs and turns, and the Doppler of a bin's middle, `[bin][pair]`.
    private let turns: [Complex]
    /// e^{jω(o_a − o_b)} of Dopplers to half a bin above the middle:
    /// `[bin][channel][pair][re, im][dopplers / 2]`.
    private let dopplerTurns: [Float]
    /// The standard deviation of D in noise of energy 1 on each channel, over the number of channels.
    private let deviation: Float
    #if ONE_CHANNEL
        var channelCount: Int { 1 }
    #else
        let channelCount: Int
    #endif
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
    /// The products, twice `[channel][pair][blockWidth]`, the energies over all channels, and those of one,
    /// `[blockWidth]`.
    private var products: ScratchBuffer<Float>
    private var energies: ScratchBuffer<Float>
    private var channelEnergies: ScratchBuffer<Float>
    private var peaks: ScratchBuffer<Float>
    private var places: ScratchBuffer<UInt8>
    /// `[delayCount][GroupSums.rowCount][fineCount]`
    var powers: ScratchBuffer<Float>
    private var looks: [Look] = []
    private var productGate = Thresholds.dsss.tailProductGate
    /// A place at which products stand out, which earns a look at the coherent powers.
    struct Look {
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
        #if !ONE_CHANNEL
            channelCount = burst.plan.channelCount
        #endif
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
            var binTurns: [Float] = []
            for pair in pairs {
                let middleHz = grid.binOffsetHz(bin)
                let middle = turn(pair, offsetHz: middleHz)
                turns.append(middle)
                let shifted = (EchoTailSearch.dopplers / 2..<EchoTailSearch.dopplers).map { step in
                    let shiftHz = EchoTailSearch.shift(step) * grid.binWidthHz
                    return turn(pair, offsetHz: middleHz + shiftHz) * middle.conjugate
                }
                binTurns += shifted.map { $0.re } + shifted.map { $0.im }
            }
            for _ in 0..<burst.plan.channelCount { dopplerTurns += binTurns }
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
        let productCount = Float(pairs.count) * Float(EchoTailSearch.blockProducts)
        deviation = (productCount * weightSquares / Float(burst.plan.channelCount)).squareRoot()
        blockCount = grid.searchedStarts / EchoTailSearch.blockSamples + tailBlocks
        blockWidth = (blockCount + 7) & ~7
        phaseWidth = blockWidth + grid.segmentSpanSamples / EchoTailSearch.blockSamples + 2
        phases = ScratchBuffer(count: 2 * EchoTailSearch.blockSamples * phaseWidth, repeating: 0)
        products = ScratchBuffer(
            count: 2 * burst.plan.channelCount * pairs.count * blockWidth, repeating: 0)
        energies = ScratchBuffer(count: blockWidth, repeating: 0)
        channelEnergies = ScratchBuffer(count: blockWidth, repeating: 0)
        peaks = ScratchBuffer(count: blockCount, repeating: 0)
        places = ScratchBuffer(count: blockCount, repeating: 0)
        powers = ScratchBuffer(
            count: EchoTailSearch.delayCount * GroupSums.rowCount * grid.fineCount, repeating: 0)
    }

    /// Finds tails that begin near `starts`.
    ///
    /// - Parameter isMeasured: true if energy speaks for a room at the searched starts.
    mutating func search(
        _ field: ClusterField, _ others: OtherFields, starts: Range<SamplePosition>, lanePrior: Float,
        isMeasured: Bool
    ) {
        let thresholds = Thresholds.dsss
        productGate = isMeasured ? thresholds.tailProductGate : thresholds.unmeasuredTailProductGate
        var looks = self.looks.takeForReuse()
        defer { self.looks = looks }
        for bin in grid.coreBins where grid.isOneOfEveryOther(bin) {
            raisedProducts(field, others, bin, starts, &looks)
        }
        looks.withUnsafeMutableBufferPointer {
            $0.heapSort { ($0.sum, $1.position, $1.bin) > ($1.sum, $0.position, $0.bin) }
        }
        found.removeAll(keepingCapacity: true)
        let most = isMeasured ? EchoTailSearch.mostLooks : EchoTailSearch.mostUnmeasuredLooks
        for look in looks.prefix(most) {
            if let tail = coherentTail(field, others, look, lanePrior) {
                found.append(tail)
            }
        }
    }

    /// Finds the places at which the products of a bin's clusters stand out, each tail once.
    private mutating func raisedProducts(
        _ field: ClusterField, _ others: OtherFields, _ bin: Int, _ starts: Range<SamplePosition>,
        _ found: inout [Look]
    ) {
        let (re, width) = (self.products.claim(), blockWidth)
        let rowCount = channelCount * pairs.count
        let im = re + rowCount * width
        let energies = self.energies.claim()
        multiply(field, others, bin, from: starts.lowerBound, intoRe: re, im: im, energies: energies)
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
                re: re, im: im, stride: width, blocks: blockCount, pairs: rowCount,
                turns: $0.baseAddress! + bin * rowCount * EchoTailSearch.dopplers,
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

    /// Computes the products of a bin's pairs, turned by its middle, `[channel][pair][blockWidth]`, and the
    /// energies of some of its clusters over all channels, `[blockWidth]`. Of several channels each has the
    /// first one's noise.
    private mutating func multiply(
        _ field: ClusterField, _ others: OtherFields, _ bin: Int, from first: SamplePosition,
        intoRe re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>,
        energies: UnsafeMutablePointer<Float>
    ) {
        energies.update(repeating: 0, count: blockWidth)
        multiply(field, bin, from: first, weight: 1, intoRe: re, im: im, energies: energies)
        guard channelCount > 1 else { return }
        let gains = burst.noiseGains(field, others, grid, bin: bin, group: grid.groupsPerBin / 2, first)
        let own = channelEnergies.claim()
        for channel in 1..<channelCount {
            let weight = gains[0] > 0 ? gains[channel] / gains[0] : 0
            let row = channel * pairs.count * blockWidth
            own.update(repeating: 0, count: blockWidth)
            others.read(channel) {
                multiply(
                    $0, bin, from: first, weight: weight, intoRe: re + row, im: im + row, energies: own)
            }
            for block in 0..<blockWidth { energies[block] += weight * own[block] }
        }
    }

    /// Does the same for one channel, with its products multiplied by `weight`, and adds its energies.
    private mutating func multiply(
        _ field: ClusterField, _ bin: Int, from first: SamplePosition, weight: Float,
        intoRe re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>,
        energies: UnsafeMutablePointer<Float>
    ) {
        let (phaseRe, stride) = (phases.claim(), phaseWidth)
        let phaseIm = phaseRe + EchoTailSearch.blockSamples * stride
        field.withBin(bin) { values, _ in
            Kernels.polyphase(values.from(first), columns: stride, re: phaseRe, im: phaseIm, stride: stride)
        }
        grid.withGateOffsets(bin: bin) { offsets in
            for (index, pair) in pairs.enumerated() {
                Kernels.blockProducts(
                    re: phaseRe, im: phaseIm, stride: stride, offsets[pair.a], offsets[pair.b],
                    turn: turns[bin * pairs.count + index] * weight, blocks: blockWidth,
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
}
