import Glibc
import Signal

/// A test whether frames may follow starts, by their energy alone. It shows which starts of steady noise need
/// no search.
///
/// In white noise a frame at its threshold stands 3.6 deviations over the reference (`dsss`); one frame in a
/// hundred has less than this test asks for. Digital silence holds no frame.
struct FrameEnergy: Sendable {
    /// The time of a frame that lies outside its whole blocks, as blocks need not begin with the frame.
    private static let missedSeconds = 1.0 / 24

    private let block: EnergyBlock
    /// The place of each segment, in samples from the start, and the number of blocks that it fills.
    private let offsets: [Int]
    private let segmentBlocks: Int
    private let leastExcess: Float
    private let usualExcess: Float
    private let likelyExcess: Float
    private let roomExcess: Float
    /// The test that decides if there is no measure of the noise.
    private let bound: FrameBound

    init(plan: BurstPlan, profile: DSSSProfile) {
        let (band, samplesPerChip) = (profile.band, profile.samplesPerChip)
        let block = EnergyBlock(band: band)
        self.block = block
        bound = FrameBound(plan: plan, profile: profile, block: block)
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
        let threshold = profile.thresholdDecibels - thresholds.severalDecibels(plan)
        let allowance =
            plan.lookCount > 1
            ? thresholds.severalAllowanceDeviations : thresholds.singleAllowanceDeviations
        let share = 1 - Double(band.samples(seconds: FrameEnergy.missedSeconds)) / samples
        let count = Double(offsets.count * plan.channelCount)
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

    /// The number of samples after the last start that must be known.
    var reachSamples: Int {
        max(offsets.last! + (segmentBlocks + 3) * block.sampleCount, (bound.endBlock + 2) * block.sampleCount)
    }

    /// Puts those of `starts` after which there may be a frame into `open`, in order. Returns true if there
    /// may be a frame in a room full of echoes.
    ///
    /// - Parameters:
    ///   - noises: the noise of every channel of a band.
    ///   - channels: the channels that are searched, as many as the plan has.
    func open(
        _ starts: Range<SamplePosition>, _ noises: [SteadyNoise], _ channels: ChannelSet,
        into open: inout [OpenStarts]
    ) -> Bool {
        open.removeAll(keepingCapacity: true)
        let size = block.sampleCount
        var place = block.first(from: max(starts.lowerBound, 0))
        var references = InlineArray<4, Float?>(repeating: nil)
        for index in channels.indices {
            references[index] = noises[channels[index]].reference(before: place)
        }
        var mayBeRooms = false
        var first = starts.lowerBound
        while first < starts.upperBound {
            // All starts between two block boundaries share the same blocks.
            let end = min(place * size + 1, starts.upperBound)
            let (energy, mayBeRoom) = energy(place, noises, channels, over: references)
            if let energy {
                if let last = open.last, last.starts.upperBound == first, last.energy == energy {
                    open[open.count - 1].starts = last.starts.lowerBound..<end
                } else {
                    open.append(OpenStarts(starts: first..<end, energy: energy))
                }
                mayBeRooms = mayBeRooms || mayBeRoom
            }
            (first, place) = (end, place + 1)
        }
        return mayBeRooms
    }

    /// Returns the energy of a frame that begins in the last samples before a block; `nil` if it is too
    /// little for a frame.
    private func energy(
        _ place: SamplePosition, _ noises: [SteadyNoise], _ channels: ChannelSet,
        over references: InlineArray<4, Float?>
    ) -> (energy: OpenStarts.Energy?, mayBeRoom: Bool) {
        switch measure(place, noises, channels, over: references) {
        case .silence: return (nil, false)
        case .nothing:
            guard noises[channels[0]].hasHeardEnough(before: place) else { return (.usual, true) }
            let isOpen = bound.isOpen(at: place, noises, channels)
            return (isOpen.any ? .unmeasured : .covered, isOpen.room)
        case .excess(let excess):
            if excess <= leastExcess { return (nil, false) }
            let isRoom = excess > roomExcess
            if excess <= usualExcess { return (.little, isRoom) }
            return (excess > likelyExcess ? .likely : .usual, isRoom)
        }
    }

    /// The result of comparing a place's energy with the noise before it.
    private enum Measure {
        case silence
        /// There is nothing to compare the energy with, or the reference no longer holds.
        case nothing
        /// The energy over the reference, in deviations of the noise.
        case excess(Float)
    }

    /// Measures the energy over all channels: in units of its own noise every channel counts alike. Silent
    /// channels do not count.
    private func measure(
        _ place: SamplePosition, _ noises: [SteadyNoise], _ channels: ChannelSet,
        over references: InlineArray<4, Float?>
    ) -> Measure {
        var (sum, count): (Float, Float) = (0, 0)
        for index in channels.indices {
            switch measure(place, noises[channels[index]], over: references[index]) {
            case .silence: continue
            case .nothing: return .nothing
            case .excess(let excess): (sum, count) = (sum + excess, count + 1)
            }
        }
        return count > 0 ? .excess(sum / count.squareRoot()) : .silence
    }

    private func measure(_ place: SamplePosition, _ noise: SteadyNoise, over reference: Float?) -> Measure {
        var sum: Float = 0
        var isBesideFrame = false
        for offset in offsets {
            let first = block.first(from: place * block.sampleCount + offset)
            let blocks = first..<first + segmentBlocks
            // Beside a strong frame that was heard, energy says nothing about other frames.
            isBesideFrame = isBesideFrame || noise.leavesOut(blocks)
            sum += noise.mean(blocks)
        }
        if sum <= Kernels.leastPower { return .silence }
        guard let reference, !isBesideFrame else { return .nothing }
        let excess = noise.excess(
            sum / Float(offsets.count), blocks: segmentBlocks * offsets.count, over: reference)
        return excess < Thresholds.dsss.quietDeviations ? .nothing : .excess(excess)
    }
}
