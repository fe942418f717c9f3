import Glibc
import Signal

/// Whether starts may have a frame after them, from nothing but its energy: what need not be searched in steady noise.
///
/// In white noise a frame at its threshold stands 3.6 deviations over the reference (`dsss`), and one in a hundred less than what is asked
/// here. Digital silence holds none.
struct FrameEnergy: Sendable {
    /// Blocks need not begin with a frame: so much of it is not among them.
    private static let missedSeconds = 1.0 / 24
    /// Deviations less than expected that one frame in a hundred has at its threshold; of several segments, whose pilots stand out less
    /// each and whose long sum leaves less of noise, one in 300.
    private static let allowance: (single: Double, several: Double) = (2.3, 2.75)
    /// Deviations over the least: with less there are two of three starts of noise that are searched, with more one in eighty of them and
    /// most frames.
    private static let littleStep: Float = 0.7
    private static let likelyStep: Float = 1.95
    /// Under the noise by so many deviations, something has changed, too.
    private static let quietExcess: Float = -3.3
    /// Two repeats decode together 2.2 dB deeper than one frame; of those less deep than this one in 300 has less energy. With what much
    /// energy wins back, of 2000 at 1.2 dB none is lost, at 0.8 dB 26.
    private static let repeatDecibels = 0.9
    /// Rooms whose echoes are sought take this much more than white noise does.
    private static let roomDecibels = 2.5

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
        let threshold = profile.thresholdDecibels - (isContiguous ? 0 : FrameEnergy.repeatDecibels)
        let allowance = plan.segmentCount > 1 ? FrameEnergy.allowance.several : FrameEnergy.allowance.single
        let share = 1 - Double(band.samples(seconds: FrameEnergy.missedSeconds)) / samples
        let count = Double(offsets.count)
        func excess(_ decibels: Double) -> Float {
            let rise = 64 * pow(10, decibels / 10) / (seconds * block.noiseHz)
            let expected = share * rise * (count * seconds * block.noiseHz).squareRoot()
            return Float(expected - allowance * (1 + 2 * rise).squareRoot())
        }
        leastExcess = excess(threshold)
        usualExcess = leastExcess + (isBurst ? 0 : FrameEnergy.littleStep)
        likelyExcess = leastExcess + FrameEnergy.likelyStep
        roomExcess = excess(threshold + FrameEnergy.roomDecibels)
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
            sum += noise.mean(first..<first + segmentBlocks)
        }
        if sum <= Kernels.leastPower { return -.infinity }
        guard let reference else { return .infinity }
        let excess = noise.excess(
            sum / Float(offsets.count), blocks: segmentBlocks * offsets.count, over: reference)
        return excess < FrameEnergy.quietExcess ? .infinity : excess
    }
}
