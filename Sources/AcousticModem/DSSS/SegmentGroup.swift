import Signal

/// The receivers of profiles that share their clusters, on one field of correlations for each channel.
///
///     baseband ─▶ ClusterField ─┬─▶ DSSSReceiver (dsss)             each channel by itself
///                               ├─▶ DSSSReceiver (dsss-far)
///                               └─────────┐
///     the other channels' fields ─────────┴─▶ DSSSReceiver, one for each profile, all channels jointly
///
/// A frame that one channel hears by itself is reported with its number, whatever the others hear: they may
/// stand in other rooms. The joint receivers add the frames that no channel hears alone.
struct SegmentGroup: Sendable {
    private var fields: [CopyOnWrite<ClusterField>]
    /// The receivers of single channels, `[channel][profile]`, and the joint ones, `[profile]`. One channel
    /// has no joint ones.
    private var singles: [CopyOnWrite<DSSSReceiver>]
    private var joints: [CopyOnWrite<DSSSReceiver>] = []
    private let profileCount: Int
    /// The owners of the scratch memory that the channels use in turn, `[profile]`; empty for one channel.
    private var lenders: [CopyOnWrite<DSSSReceiver>] = []
    /// The field in which the last residual was searched, and when: the next one is searched in its memory.
    private var residualField: ClusterField?
    private var residualFieldUse: SamplePosition = 0

    /// The memory of a residual's field is given back when no frame has been heard for so long.
    private static let residualFieldSeconds = 15.0

    private init(
        sharing profiles: [DSSSProfile], channelCount: Int, _ options: ReceiverOptions,
        _ observer: (any ReceiverObserver)?
    ) {
        // The profiles differ in their signs, on which the field does not depend.
        let grids = profiles.map { SearchGrid(profile: $0) }
        let correlator = ClusterCorrelator(grid: grids[0])
        func receiver(_ grid: SearchGrid, _ channels: ChannelSet) -> CopyOnWrite<DSSSReceiver> {
            CopyOnWrite(
                DSSSReceiver(
                    grid: grid, fieldStart: ClusterField.origin(correlator), channels: channels,
                    options: options, observer: observer))
        }
        profileCount = profiles.count
        let isArray = ChannelSet.most > 1 && channelCount > 1
        // Each receiver has one owner before it is changed.
        var own = copies(isArray ? channelCount + 1 : 1) { grids.map { receiver($0, ChannelSet(0)) } }
        if isArray { lenders = own.removeLast() }
        singles = own.flatMap { $0 }
        own = []
        if isArray {
            for index in singles.indices {
                singles[index].value.choose(ChannelSet(index / profileCount))
                singles[index].value.hasOthers = true
            }
            joints = grids.map { grid in
                var joint = receiver(grid, ChannelSet(0..<min(channelCount, ChannelSet.most)))
                joint.value.hasOthers = true
                return joint
            }
        }
        let all = singles.prefix(profileCount) + joints
        let keptSamples = all.lazy.map { $0.read { $0.keptSamples } }.max()!
        let outerKeptSamples = all.lazy.compactMap { $0.read { $0.outerKeptSamples } }.max()
        fields = copies(channelCount) {
            CopyOnWrite(
                ClusterField(
                    correlator: correlator, grid: grids[0], keptSamples: keptSamples,
                    outerKeptSamples: outerKeptSamples))
        }
    }

    /// Returns groups of the profiles that share their clusters, in order.
    static func of(
        _ profiles: [DSSSProfile], channelCount: Int, _ options: ReceiverOptions,
        _ observer: (any ReceiverObserver)?
    ) -> [SegmentGroup] {
        profiles.grouped { $0.sharesClusters(with: $1) }.map {
            SegmentGroup(sharing: $0, channelCount: channelCount, options, observer)
        }
    }

    /// The number of zeros that flush everything out at the end of a recording.
    var flushSamples: Int { max(singles.most { $0.flushSamples }, joints.most { $0.flushSamples }) }
    /// The number of past samples of a loud passage that are read.
    var passageSamples: Int { singles.most { $0.passageSamples } }
    /// The oldest baseband sample that is still needed.
    var oldestNeeded: SamplePosition {
        min(singles.least { $0.oldestNeeded }, joints.least { $0.oldestNeeded })
    }

    /// The oldest column of the fields that a search still reads, and that of the bins for strong frames.
    private var oldestColumn: SamplePosition {
        min(singles.least { $0.oldestColumn }, joints.least { $0.oldestColumn })
    }
    private var oldestOuterColumn: SamplePosition? {
        let oldest = singles.least { $0.oldestOuterColumn ?? .max }
        return oldest == .max ? nil : oldest
    }

    /// Moves the clock on; see ``FamilyReceiver/skip(samples:)``.
    mutating func skip(samples: Int64) {
        for index in singles.indices { singles[index].value.skip(samples: samples) }
        for index in joints.indices where ChannelSet.most > 1 { joints[index].value.skip(samples: samples) }
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout SegmentGroup) {
        swap(&residualField, &other.residualField)
        swap(&residualFieldUse, &other.residualFieldUse)
        for index in fields.indices { fields[index].value.exchangeScratch(with: &other.fields[index].value) }
        for index in singles.indices {
            singles[index].value.exchangeScratch(with: &other.singles[index].value)
        }
        for index in joints.indices where ChannelSet.most > 1 {
            joints[index].value.exchangeScratch(with: &other.joints[index].value)
        }
    }

    /// Chooses the channels that are searched jointly; fewer than two are not.
    mutating func choose(_ channels: ChannelSet) {
        for index in joints.indices where ChannelSet.most > 1 { joints[index].value.choose(channels) }
    }

    /// Takes the last `count` samples of each channel's baseband, which must hold everything from
    /// ``oldestNeeded`` on.
    mutating func process(
        _ count: Int, of basebands: [BasebandWindow], _ noises: [SteadyNoise],
        into reports: inout [DecodeReport]
    ) {
        for channel in fields.indices {
            fields[channel].value.append(basebands[channel].samples(from: basebands[channel].end - count))
        }
        for index in singles.indices {
            let profile = index % profileCount
            lend(profile, to: index)
            singles[index].value.search(&fields, basebands, noises, into: &reports)
            lend(profile, to: index)
            if ChannelSet.most > 1, !joints.isEmpty {
                joints[profile].value.claim(singles[index].value.takeUnclaimed())
            }
        }
        for profile in joints.indices where ChannelSet.most > 1 {
            joints[profile].value.search(&fields, basebands, noises, into: &reports)
            let heard = joints[profile].value.takeUnclaimed()
            if heard.isEmpty { continue }
            for index in stride(from: profile, to: singles.count, by: profileCount) {
                singles[index].value.claim(heard)
            }
        }
        let (oldest, outer) = (oldestColumn, oldestOuterColumn)
        for channel in fields.indices { fields[channel].value.drop(before: oldest, outer: outer) }
        giveBackResidualField()
    }

    /// The end of the starts of single frames that all receivers of a channel have searched.
    var searchedEnd: SamplePosition { singles.least { $0.searchedEnd } }
    var longestFrameSamples: Int { singles.most { $0.frameSamples } }
    /// The most samples before a start, and after it, that a search for single frames asks of a field.
    var fieldReach: (before: Int, after: Int) {
        (singles.most { $0.fieldReach.before }, singles.most { $0.fieldReach.after })
    }

    /// Searches the starts of a channel's residual, and reports what is found.
    mutating func searchResidual(
        _ starts: Range<SamplePosition>, of residual: Residual, channel: Int,
        into reports: inout [DecodeReport]
    ) {
        let receivers = channel * profileCount..<(channel + 1) * profileCount
        let step = fields[channel].read { $0.grid.searchedStarts }
        let reach = fieldReach
        let before = max(starts.lowerBound - residual.origin, reach.before)
        for index in receivers { singles[index].value.refillResidual(frames: residual.freshCount) }
        var taken = residual.origin
        clearResidualField(keptSamples: before + step + reach.after)
        let sound = residual.basebands[channel]
        let count = starts.upperBound - starts.lowerBound
        for offset in stride(from: 0, to: count, by: step) {
            // Rooms are sought in whole parts: the last one begins earlier, in the one before.
            let first = starts.lowerBound + max(0, min(offset, count - step))
            let part = first..<min(first + step, starts.upperBound)
            let oldest = (first - reach.before).since(residual.origin)
            residualField!.drop(before: oldest, outer: oldest)
            let end = min(max(part.upperBound + reach.after, taken), sound.end)
            residualField!.append(sound.samples(from: taken).prefix(end - taken))
            taken = end
            for index in receivers {
                lend(index - receivers.lowerBound, to: index)
                singles[index].value.searchResidual(part, &residualField!, residual, into: &reports)
                lend(index - receivers.lowerBound, to: index)
            }
        }
    }

    /// Makes an empty field for a residual, in the memory of the last one if that is enough.
    private mutating func clearResidualField(keptSamples: Int) {
        residualFieldUse = fields[0].read { $0.end }
        if residualField == nil || residualField!.extent.keptSamples < keptSamples {
            residualField = fields[0].read { $0.renewed(keptSamples: keptSamples) }
        } else {
            residualField!.restart()
        }
    }

    private mutating func giveBackResidualField() {
        guard residualField != nil else { return }
        let (end, band) = fields[0].read { ($0.end, $0.grid.profile.band) }
        let idleSamples = band.samples(seconds: SegmentGroup.residualFieldSeconds)
        if end - residualFieldUse > idleSamples { residualField = nil }
    }

    /// Gives a single channel's receiver the scratch memory for its turn, or takes it back.
    private mutating func lend(_ profile: Int, to index: Int) {
        if !lenders.isEmpty { singles[index].value.exchangeScratch(with: &lenders[profile].value) }
    }

    /// Takes the next samples of a channel's loud passage; see ``DSSSReceiver/hearPromptly(_:_:)``.
    mutating func hearPromptly(
        channel: Int, _ passage: LoudPassage, _ fresh: ArraySlice<Complex>, into reports: inout [DecodeReport]
    ) {
        for profile in 0..<profileCount {
            let index = channel * profileCount + profile
            lend(profile, to: index)
            reports += singles[index].value.hearPromptly(passage, fresh)
            lend(profile, to: index)
        }
    }

    mutating func endPassage(channel: Int) {
        for profile in 0..<profileCount { singles[channel * profileCount + profile].value.endPassage() }
    }

    var statistics: ReceiverStatistics {
        (singles + joints).reduce(into: ReceiverStatistics()) { $0.add($1.read { $0.statistics }) }
    }
}

extension [CopyOnWrite<DSSSReceiver>] {
    /// Returns the greatest of a number of samples; 0 of no receiver.
    fileprivate func most(_ samples: (inout DSSSReceiver) -> Int) -> Int {
        indices.reduce(0) { Swift.max($0, self[$1].read(samples)) }
    }

    /// Returns the least of a position; the greatest possible of no receiver.
    fileprivate func least(_ position: (inout DSSSReceiver) -> SamplePosition) -> SamplePosition {
        indices.reduce(.max) { Swift.min($0, self[$1].read(position)) }
    }
}
