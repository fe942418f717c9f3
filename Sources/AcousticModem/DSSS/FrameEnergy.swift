import Glibc
import Signal

/// Whether starts may have a frame after them, from nothing but its energy: what need not be searched in steady noise.
///
/// In white noise a frame at its threshold stands 3.6 deviations over the reference (`dsss`), and one in a hundred less than what is asked
/// here. Digital silence holds none.
struct FrameEnergy: Sendable {
    /// Blocks need not begin with a frame: so much of it is not among them.
    private static let missedSeconds = 1.0 / 24

    private let block: EnergyBlock
    /// Where each segment stands, in samples from the start, and for how many blocks.
    private let offsets: [Int]
    private let segmentBlocks: Int
    private let leastExcess: Float
    private let usualExcess: Float
    private let likelyExcess: Float
    private let roomExcess: Float

    init(plan: BurstPlan, profile: DSSSProfile) {
        let (band, samplesPerChip) = (profile.band, profile.samplesPerChip)
        let block = EnergyBlock(band: band)
        self.block = block
        let isContiguous = !plan.combinesRepeats
        let offsets = (0..<(isContiguous ? 1 : plan.segmentCount)).map {
            Int((Double($0) * plan.spacingChips * samplesPerChip).rounded())
        }
        let chips = Double(profile.segmentChipCount * (isContiguous ? plan.segmentCount : 1))
        let samples = chips * samplesPerChip
        segmentBlocks = Int(samples) / block.sampleCount
        self.offsets = offsets
        let seconds = samples / band.rateHz
        let isBurst = isContiguous && plan.segmentCount > 1
        let thresholds = Thresholds.dsss
        let threshold = profile.thresholdDecibels - (isContiguous ? 0 : thresholds.repeatDecibels)
        let allowance =
            plan.segmentCount > 1
            ? thresholds.severalAllowanceDeviations : thresholds.singleAllowanceDeviations
        let share = 1 - Double(band.samples(seconds: FrameEnergy.missedSeconds)) / samples
        let count = Double(offsets.count)
        func excess(_ decibels: Double) -> Float {
            let rise = 64 * pow(10, decibels / 10) / (seconds * block.noiseHz)
            let expected = share * rise * (count * seconds * block.noiseHz).squareRoot()
            return Float(expected - allowance * (1 + 2 * rise).squareRoot())
        }
        leastExcess = excess(threshold)
        usualExcess = leastExcess + (isBurst ? 0 : thresholds.littleEnergyDeviations)
        likelyExcess = leastExcess + thresholds.muchEnergyDeviations
        roomExcess = excess(threshold + thresholds.roomDecibels)
    }

    /// Samples after the last start that must be known.
    var reachSamples: Int { offsets.last! + (segmentBlocks + 3) * block.sampleCount }

    /// Puts those of `starts` after which there may be a frame into `open`, in order. Whether it may be one in a room full of echoes.
    func open(_ starts: Range<Int>, _ noise: SteadyNoise, into open: inout [OpenStarts]) -> Bool {
        open.removeAll(keepingCapacity: true)
        let size = block.sampleCount
        var place = block.first(from: max(starts.lowerBound, 0))
        let reference = noise.reference(before: place)
        var mayBeRooms = false
        var first = starts.lowerBound
        while first < starts.upperBound {
            // All those between two blocks hear the same ones.
            let end = min(place * size + 1, starts.upperBound)
            let excess = excess(place, noise, over: reference)
            if let energy = energy(excess) {
                if let last = open.last, last.starts.upperBound == first, last.energy == energy {
                    open[open.count - 1].starts = last.starts.lowerBound..<end
                } else {
                    open.append(OpenStarts(starts: first..<end, energy: energy))
                }
                mayBeRooms = mayBeRooms || excess > roomExcess
            }
            (first, place) = (end, place + 1)
        }
        return mayBeRooms
    }

    /// Nil: too little for a frame.
    private func energy(_ excess: Float) -> OpenStarts.Energy? {
        if excess <= leastExcess { return nil }
        if excess <= usualExcess { return .little }
        return excess > likelyExcess && excess < .infinity ? .likely : .usual
    }

    /// Of a frame that begins in the last samples before a block; without end where there is no measure, or it no longer holds.
    private func excess(_ place: Int, _ noise: SteadyNoise, over reference: Float?) -> Float {
        var sum: Float = 0
        for offset in offsets {
            let first = block.first(from: place * block.sampleCount + offset)
            let blocks = first..<first + segmentBlocks
            // Beside a strong frame that was heard, energy tells nothing of others.
            if noise.leavesOut(blocks) { return .infinity }
            sum += noise.mean(blocks)
        }
        if sum <= Kernels.leastPower { return -.infinity }
        guard let reference else { return .infinity }
        let excess = noise.excess(
            sum / Float(offsets.count), blocks: segmentBlocks * offsets.count, over: reference)
        return excess < Thresholds.dsss.quietDeviations ? .infinity : excess
    }
}
