import Glibc
import Signal

/// Whether starts may have a frame after them, from nothing but its energy: what need not be searched in steady noise.
///
///     weight of the spectrum, about that of the chips:    1 + 1.5 cos φ + 0.85 cos 2φ,   φ = 2πf / 2400 Hz
///     power of a block, 120 samples:                      Σ |x(t)|² + Re(1.5 x(t) x*(t−1) + 0.85 x(t) x*(t−2))
///
/// In white noise a frame at its threshold stands 3.6 deviations over the reference (`dsss`), and one in a hundred less than what is asked
/// here. Digital silence holds none.
struct FrameEnergy: Sendable {
    static let blockSamples = 120
    /// Of a block's power where the mean is 1, as `FrameEnergyTests` measures it.
    static let blockVariance: Float = 1 / 46.5
    /// Of a frame's energy, what the weight makes of it against noise in the same band: hertz.
    private static let noiseHz = 930.0
    /// Blocks need not begin with a frame: so much of it is not among them.
    private static let missedSamples = 100.0
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

    /// Where each segment stands, in samples from the start, and for how many blocks.
    private let offsets: [Int]
    private let segmentBlocks: Int
    private let leastExcess: Float
    private let usualExcess: Float
    private let likelyExcess: Float
    private let roomExcess: Float

    init(plan: BurstPlan, profile: DSSSProfile) {
        let samplesPerChip = BandDecimator.outputRateHz / profile.chipRateHz
        let isContiguous = !plan.combinesRepeats
        let offsets = (0..<(isContiguous ? 1 : plan.segmentCount)).map {
            Int((Double($0) * plan.spacingChips * samplesPerChip).rounded())
        }
        let chips = Double(profile.segmentChipCount * (isContiguous ? plan.segmentCount : 1))
        let samples = chips * samplesPerChip
        segmentBlocks = Int(samples) / FrameEnergy.blockSamples
        self.offsets = offsets
        let seconds = samples / BandDecimator.outputRateHz
        let isBurst = isContiguous && plan.segmentCount > 1
        let threshold = profile.thresholdDecibels - (isContiguous ? 0 : FrameEnergy.repeatDecibels)
        let allowance = plan.segmentCount > 1 ? FrameEnergy.allowance.several : FrameEnergy.allowance.single
        let share = 1 - FrameEnergy.missedSamples / samples
        let count = Double(offsets.count)
        func excess(_ decibels: Double) -> Float {
            let rise = 64 * pow(10, decibels / 10) / (seconds * FrameEnergy.noiseHz)
            let expected = share * rise * (count * seconds * FrameEnergy.noiseHz).squareRoot()
            return Float(expected - allowance * (1 + 2 * rise).squareRoot())
        }
        leastExcess = excess(threshold)
        usualExcess = leastExcess + (isBurst ? 0 : FrameEnergy.littleStep)
        likelyExcess = leastExcess + FrameEnergy.likelyStep
        roomExcess = excess(threshold + FrameEnergy.roomDecibels)
    }

    /// Samples after the last start that must be known.
    var reachSamples: Int { offsets.last! + (segmentBlocks + 3) * FrameEnergy.blockSamples }

    /// Puts those of `starts` after which there may be a frame into `open`, in order. Whether it may be one in a room full of echoes.
    func open(_ starts: Range<Int>, _ noise: SteadyNoise, into open: inout [OpenStarts]) -> Bool {
        open.removeAll(keepingCapacity: true)
        let size = FrameEnergy.blockSamples
        var block = FrameEnergy.block(max(starts.lowerBound, 0))
        let reference = noise.reference(before: block)
        var mayBeRooms = false
        var first = starts.lowerBound
        while first < starts.upperBound {
            // All those between two blocks hear the same ones.
            let end = min(block * size + 1, starts.upperBound)
            let excess = excess(block, noise, over: reference)
            if let energy = energy(excess) {
                if let last = open.last, last.starts.upperBound == first, last.energy == energy {
                    open[open.count - 1].starts = last.starts.lowerBound..<end
                } else {
                    open.append(OpenStarts(starts: first..<end, energy: energy))
                }
                mayBeRooms = mayBeRooms || excess > roomExcess
            }
            (first, block) = (end, block + 1)
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
    private func excess(_ block: Int, _ noise: SteadyNoise, over reference: Float?) -> Float {
        var sum: Float = 0
        for offset in offsets {
            let first = FrameEnergy.block(block * FrameEnergy.blockSamples + offset)
            sum += noise.mean(first..<first + segmentBlocks)
        }
        if sum == 0 { return -.infinity }
        guard let reference else { return .infinity }
        let excess = noise.excess(
            sum / Float(offsets.count), blocks: segmentBlocks * offsets.count, over: reference)
        return excess < FrameEnergy.quietExcess ? .infinity : excess
    }

    /// The first block that begins at a sample or after it.
    private static func block(_ sample: Int) -> Int { (sample + blockSamples - 1) / blockSamples }

    /// Adds the weighted powers of the last `blocks` blocks of `baseband`, which it ends with, to `noise`.
    static func add(_ baseband: BasebandWindow, blocks: Int, to noise: inout SteadyNoise) {
        let count = baseband.samples.count
        baseband.samples.withUnsafeBufferPointer {
            for block in (1...blocks).reversed() {
                // Two samples before the block are read: the first has none.
                let first = max(count - block * blockSamples, 2)
                let (start, length) = ($0.baseAddress! + first, count - (block - 1) * blockSamples - first)
                func product(after lag: Int) -> Float { Kernels.innerProduct(start, start - lag, length) }
                noise.append(product(after: 0) + 1.5 * product(after: 1) + 0.85 * product(after: 2))
            }
        }
    }
}
