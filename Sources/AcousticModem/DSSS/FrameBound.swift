import Glibc
import Signal

/// A bound on the strength of a frame within some blocks of sound. A frame lasts all of its time, so no block
/// of that time is quieter than the frame.
///
///     power    ▆▇▆▁▁▇▆▇▆▇▆▇▆▇     a frame here has no more than the two quiet blocks have:
///              |--- frame ---|    too little beside what else sounds in its time
///
/// The bound needs no measure of the noise. Sound that is never steady gives no such measure.
struct FrameBound: Sendable {
    /// The number of blocks at a frame's end that may hold later sound, if the start is that of an echo.
    private static let looseBlocks = 2

    /// The place of each segment, in blocks from the first, and the number of blocks that a segment fills.
    private let offsets: [Int]
    private let segmentBlocks: Int
    /// The value of ``sum(at:_:)`` for a frame at its threshold, and for one at the threshold of a room.
    private let least: Float
    private let leastOfRooms: Float

    init(plan: BurstPlan, profile: DSSSProfile, block: EnergyBlock) {
        let samplesPerChip = profile.samplesPerChip
        let samples = Double(profile.segmentChipCount) * samplesPerChip
        segmentBlocks = Int(samples) / block.sampleCount
        offsets = (0..<plan.segmentCount).map {
            Int((Double($0) * plan.spacingChips * samplesPerChip / Double(block.sampleCount)).rounded())
        }
        let thresholds = Thresholds.dsss
        let decibels =
            profile.thresholdDecibels - thresholds.boundAllowanceDecibels
            - thresholds.severalDecibels(plan)
        let segments = plan.combinesRepeats ? 1 : plan.segmentCount
        let noise = samples / profile.band.rateHz * block.noiseHz
        func sum(_ decibels: Double) -> Float {
            let share = 64 * pow(10, decibels / 10) / Double(segments) / noise
            return Float(share) * Float(plan.lookCount)
        }
        least = sum(decibels)
        leastOfRooms = sum(decibels + thresholds.roomDecibels)
    }

    /// The first block after a frame, counted from the frame's start.
    var endBlock: Int { offsets.last! + segmentBlocks }

    /// Returns whether a frame that begins in the last samples before a block may be as strong as it must be,
    /// and whether one may be in a room of which no path stands out.
    func isOpen(
        at place: SamplePosition, _ noises: [SteadyNoise], _ channels: ChannelSet
    ) -> (any: Bool, room: Bool) {
        var sum: Float = 0
        for index in channels.indices { sum += self.sum(at: place, noises[channels[index]]) }
        return (sum >= least, sum >= leastOfRooms)
    }

    /// Returns the greatest possible power of a frame over the power of all else in the time of each of its
    /// segments on one channel, added up, as every segment stands against its own noise.
    func sum(at place: SamplePosition, _ noise: SteadyNoise) -> Float {
        var most = Float.infinity
        for offset in offsets {
            let first = place + offset
            most = min(most, noise.least(first..<first + segmentBlocks - FrameBound.looseBlocks))
        }
        var sum: Float = 0
        for offset in offsets {
            let mean = noise.mean(place + offset..<place + offset + segmentBlocks)
            sum += mean > most ? most / (mean - most) : .infinity
        }
        return sum
    }
}
