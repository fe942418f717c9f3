import Signal

/// A test whether a frame that is to be reported as it ends may begin at a place: the sound gets louder
/// there, and stays so while the frame lasts.
///
///     power    ▁▂▁▂▁▆▇▆▇▆▇▆▇▆▇▆▇▁▂▁
///         before ──┘|--- frame ---|
struct FrameOnset: Sendable {
    /// The number of blocks before a start of which one must be quieter; the start's path may be an echo.
    private static let blocksBefore = 6
    /// The number of blocks from a start on that must be louder.
    private static let risenBlocks = 4
    /// The number of blocks at the end that may hold later sound.
    private static let looseBlocks = 2

    private let frameBlocks: Int

    init(profile: DSSSProfile) {
        let block = EnergyBlock(band: profile.band)
        frameBlocks =
            Int(Double(profile.segmentChipCount) * profile.samplesPerChip) / block.sampleCount
            - FrameOnset.looseBlocks
    }

    /// Returns true if a frame may start in the last samples before a block. Sound that has not come yet
    /// rules nothing out.
    func isPossible(at place: SamplePosition, _ levels: SteadyNoise) -> Bool {
        let frame = place..<min(place + frameBlocks, levels.end)
        guard frame.count >= FrameOnset.risenBlocks else { return true }
        let mean = levels.mean(frame)
        // A room is not full of echoes yet at the end of the first block.
        let least = levels.least(frame.dropFirst())
        // A frame has no more power than the quietest block of its time.
        if least < Thresholds.dsss.promptShare * (mean - least) { return false }
        let before = place - FrameOnset.blocksBefore..<place - 1
        guard before.lowerBound >= levels.start else { return true }
        let risen = levels.mean(place..<place + FrameOnset.risenBlocks)
        return levels.mean(before) <= Kernels.leastPower
            || levels.least(before) * Thresholds.dsss.promptRise <= risen
    }
}
