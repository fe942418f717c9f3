import Signal

/// Whether a frame that is to be reported as it ends may begin at a place: the sound gets louder there, and stays so while it
/// lasts.
///
///     power    ▁▂▁▂▁▆▇▆▇▆▇▆▇▆▇▆▇▁▂▁
///         before ──┘|--- frame ---|
struct FrameOnset: Sendable {
    /// Blocks before a start of which one must be quieter: its path may be an echo.
    private static let blocksBefore = 6
    /// Blocks from a start on that must be louder.
    private static let risenBlocks = 4
    /// Blocks at the end that may hold what comes after.
    private static let looseBlocks = 2

    private let frameBlocks: Int

    init(profile: DSSSProfile) {
        let block = EnergyBlock(band: profile.band)
        frameBlocks =
            Int(Double(profile.segmentChipCount) * profile.samplesPerChip) / block.sampleCount
            - FrameOnset.looseBlocks
    }

    /// Whether a frame may start in the last samples before a block. Sound that has not come yet rules nothing out.
    func isPossible(at place: SamplePosition, _ levels: SteadyNoise) -> Bool {
        let frame = place..<min(place + frameBlocks, levels.end)
        guard frame.count >= FrameOnset.risenBlocks else { return true }
        let mean = levels.mean(frame)
        // A room has not filled by the end of the first.
        let least = levels.least(frame.dropFirst())
        // No more of it than its quietest block has.
        if least < Thresholds.dsss.promptShare * (mean - least) { return false }
        let before = place - FrameOnset.blocksBefore..<place - 1
        guard before.lowerBound >= levels.start else { return true }
        let risen = levels.mean(place..<place + FrameOnset.risenBlocks)
        return levels.mean(before) <= Kernels.leastPower
            || levels.least(before) * Thresholds.dsss.promptRise <= risen
    }
}
