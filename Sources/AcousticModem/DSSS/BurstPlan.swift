import Signal

/// The number and the spacing of segments that are searched and decoded as one.
///
///     far:      | segment 0 | segment 1 | segment 2 |        one frame, a spacing of its length
///     repeats:  | frame |  gap  | frame |                                the standard repeat period
///     channels: | frame |                                                the same time on every channel
///               | frame |
struct BurstPlan: Sendable, Hashable {
    /// The most looks that a plan has: the segments of a burst on as many channels as are heard jointly.
    static var mostLooks: Int { Gains(repeating: 0).count }
    /// A gain for each look.
    #if ONE_CHANNEL
        typealias Gains = InlineArray<4, Float>
    #else
        typealias Gains = InlineArray<12, Float>
    #endif

    let segmentCount: Int
    /// The distance from a segment's first chip to the next segment's, in chips.
    let spacingChips: Double
    /// True if each segment is a whole frame, repeated unchanged; otherwise the segments are parts of one
    /// frame.
    let combinesRepeats: Bool
    /// The number of channels on which each segment is heard.
    #if ONE_CHANNEL
        var channelCount: Int { 1 }
    #else
        private(set) var channelCount = 1
    #endif

    /// Returns the gains of one channel's looks.
    static func gains(_ segments: InlineArray<4, Float>) -> Gains {
        #if ONE_CHANNEL
            return segments
        #else
            var gains = Gains(repeating: 0)
            for segment in segments.indices { gains[segment] = segments[segment] }
            return gains
        #endif
    }

    /// The number of looks at a hypothesis, `[channel][segment]`: each segment on each channel.
    var lookCount: Int { channelCount * segmentCount }

    /// Returns the plan of one frame of the profile.
    static func frame(of profile: DSSSProfile) -> BurstPlan {
        BurstPlan(
            segmentCount: profile.segmentCount, spacingChips: Double(profile.segmentChipCount),
            combinesRepeats: false)
    }

    /// Returns the plan of `count` frames of a token at the standard gap; for profiles of one segment.
    static func repeats(_ count: Int, of profile: DSSSProfile) -> BurstPlan {
        precondition(profile.segmentCount == 1, "repeats of a burst are not searched jointly")
        return BurstPlan(
            segmentCount: count, spacingChips: profile.repeatPeriodSeconds * profile.chipRateHz,
            combinesRepeats: true)
    }

    /// Returns the same plan on `count` channels, which are heard jointly.
    func heard(onChannels count: Int) -> BurstPlan {
        var plan = self
        #if !ONE_CHANNEL
            plan.channelCount = count
        #endif
        precondition(plan.lookCount <= BurstPlan.mostLooks, "as many looks as there is room for")
        return plan
    }

    /// Returns the number that selects a segment's pilot pattern and interleaver.
    func layoutIndex(segment: Int) -> Int { combinesRepeats ? 0 : segment }
}

/// The starts of a plan's segments under each Doppler group, in baseband samples.
struct BurstGrid: Sendable {
    let plan: BurstPlan
    private let groupsPerBin: Int
    private let offsets: [Int]  // (bin, group, segment)
    /// The groups of each bin, in runs whose segments start at the same samples: one gate serves a whole run.
    let runs: [[Range<Int>]]
    /// The greatest distance, under any hypothesis, from the first segment's start to the last one's.
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

    /// Returns the range of a segment's start over all hypotheses.
    func segmentOffsets(_ segment: Int) -> ClosedRange<Int> {
        let all = stride(from: segment, to: offsets.count, by: plan.segmentCount).lazy.map { offsets[$0] }
        return all.min()!...all.max()!
    }

    /// Calls `body` with the starts of the segments under a group and the groups that follow it,
    /// `[group][segment]`.
    @inline(__always)
    func withSegmentOffsets<Result>(bin: Int, group: Int, _ body: (UnsafePointer<Int>) -> Result) -> Result {
        offsets.withUnsafeBufferPointer {
            body($0.baseAddress! + (bin * groupsPerBin + group) * plan.segmentCount)
        }
    }

    /// Returns the gain of each look that brings the power of its coherent sum over all clusters to a mean of
    /// 1 in noise; 0 in silence. Each look has its own gain: a strong frame elsewhere in a combination must
    /// not speak for a segment that is silent, nor a quiet channel for a noisy one.
    func noiseGains(
        _ field: ClusterField, _ others: OtherFields, _ grid: SearchGrid, bin: Int, group: Int,
        _ position: SamplePosition
    ) -> BurstPlan.Gains {
        var all = BurstPlan.Gains(repeating: 0)
        for channel in 0..<plan.channelCount {
            var gains = SegmentGains(bin: bin, group: group)
            if channel == 0 {
                gains.move(to: position, field, grid, self)
            } else {
                others.read(channel) { gains.move(to: position, $0, grid, self) }
            }
            for segment in 0..<plan.segmentCount {
                all[channel * plan.segmentCount + segment] = gains.values[segment]
            }
        }
        return all
    }
}
