import Signal

/// How many segments are searched and decoded as one, and where they stand.
///
///     far:      | segment 0 | segment 1 | segment 2 |        one frame, a spacing of its length
///     repeats:  | frame |  gap  | frame |                                the standard repeat period
struct BurstPlan: Sendable, Hashable {
    let segmentCount: Int
    /// From a segment's first chip to the next one's.
    let spacingChips: Double
    /// Each segment is a whole frame, repeated unchanged; otherwise they are parts of one frame.
    let combinesRepeats: Bool

    /// One frame of the profile.
    static func frame(of profile: DSSSProfile) -> BurstPlan {
        BurstPlan(
            segmentCount: profile.segmentCount, spacingChips: Double(profile.segmentChipCount),
            combinesRepeats: false)
    }

    /// `count` frames of a token at the standard gap; for profiles of one segment.
    static func repeats(_ count: Int, of profile: DSSSProfile) -> BurstPlan {
        precondition(profile.segmentCount == 1, "repeats of a burst are not searched jointly")
        return BurstPlan(
            segmentCount: count, spacingChips: profile.repeatPeriodSeconds * profile.chipRateHz,
            combinesRepeats: true)
    }

    /// The number that selects a segment's pilot pattern and interleaver.
    func layoutIndex(segment: Int) -> Int { combinesRepeats ? 0 : segment }
}

/// Where a plan's segments start under each Doppler group, in baseband samples.
struct BurstGrid: Sendable {
    let plan: BurstPlan
    private let groupsPerBin: Int
    private let offsets: [Int]  // (bin, group, segment)
    /// Groups of a bin whose segments start at the same samples: one gate serves them all.
    let runs: [[Range<Int>]]
    /// From the first segment's start to the last one's, the most under any hypothesis.
    let spanSamples: Int

    init(plan: BurstPlan, grid: SearchGrid) {
        self.plan = plan
        groupsPerBin = grid.groupsPerBin
        var offsets: [Int] = []
        var runs: [[Range<Int>]] = []
        for bin in 0..<grid.binCount {
            var binRuns: [Range<Int>] = []
            for group in 0..<grid.groupsPerBin {
                let stretch = 1 + grid.groupTimeScale(bin: bin, group: group)
                let row = (0..<plan.segmentCount).map {
                    Int((Double($0) * plan.spacingChips * grid.samplesPerChip / stretch).rounded())
                }
                if let last = binRuns.last, Array(offsets.suffix(plan.segmentCount)) == row {
                    binRuns[binRuns.count - 1] = last.lowerBound..<group + 1
                } else {
                    binRuns.append(group..<group + 1)
                }
                offsets += row
            }
            runs.append(binRuns)
        }
        self.offsets = offsets
        spanSamples = offsets.max() ?? 0
        self.runs = runs
    }

    func segmentOffset(bin: Int, group: Int, segment: Int) -> Int {
        offsets[(bin * groupsPerBin + group) * plan.segmentCount + segment]
    }

    /// Where a segment starts under any hypothesis.
    func segmentOffsets(_ segment: Int) -> ClosedRange<Int> {
        let all = stride(from: segment, to: offsets.count, by: plan.segmentCount).lazy.map { offsets[$0] }
        return all.min()!...all.max()!
    }

    /// Calls `body` with the segments' starts under a group and those that follow it, `[group][segment]`.
    @inline(__always)
    func withSegmentOffsets<Result>(bin: Int, group: Int, _ body: (UnsafePointer<Int>) -> Result) -> Result {
        offsets.withUnsafeBufferPointer {
            body($0.baseAddress! + (bin * groupsPerBin + group) * plan.segmentCount)
        }
    }

    /// What gives the power of each segment's coherent sum over all clusters a mean of 1 in noise; 0 in silence. Each by
    /// itself: a strong frame elsewhere in a combination must not speak for a segment that is silent.
    @inline(__always)
    func noiseGains(
        _ field: ClusterField, _ grid: SearchGrid, bin: Int, group: Int, _ position: SamplePosition
    ) -> InlineArray<4, Float> {
        var gains = SegmentGains(bin: bin, group: group)
        gains.move(to: position, field, grid, self)
        return gains.values
    }
}
