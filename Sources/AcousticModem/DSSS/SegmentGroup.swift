import Signal

/// The receivers of profiles that share their clusters, on one field of correlations.
///
///     baseband ─▶ ClusterField ─┬─▶ DSSSReceiver (dsss)
///                               └─▶ DSSSReceiver (dsss-far)
struct SegmentGroup: Sendable {
    private var field: ClusterField
    private(set) var receivers: [DSSSReceiver]

    private init(sharing profiles: [DSSSProfile], _ observer: (any ReceiverObserver)?) {
        // The profiles differ in their signs, on which the field does not depend.
        let grids = profiles.map { SearchGrid(profile: $0) }
        let correlator = ClusterCorrelator(grid: grids[0])
        let receivers = grids.map {
            DSSSReceiver(grid: $0, fieldStart: ClusterField.origin(correlator), observer: observer)
        }
        self.receivers = receivers
        field = ClusterField(
            correlator: correlator, grid: grids[0], keptSamples: receivers.lazy.map { $0.keptSamples }.max()!,
            outerKeptSamples: receivers.lazy.compactMap { $0.outerKeptSamples }.max())
    }

    /// Returns groups of the profiles that share their clusters, in order.
    static func of(_ profiles: [DSSSProfile], _ observer: (any ReceiverObserver)?) -> [SegmentGroup] {
        profiles.grouped { $0.sharesClusters(with: $1) }.map { SegmentGroup(sharing: $0, observer) }
    }

    /// The number of zeros that flush everything out at the end of a recording.
    var flushSamples: Int { receivers.lazy.map { $0.flushSamples }.max()! }
    /// The number of past samples of a loud passage that are read.
    var passageSamples: Int { receivers.lazy.map { $0.passageSamples }.max()! }
    /// The oldest baseband sample that is still needed.
    var oldestNeeded: SamplePosition { receivers.indices.lazy.map { receivers[$0].oldestNeeded }.min()! }

    /// The oldest column of the field that a search still reads, and that of the bins for strong frames.
    private var oldestColumn: SamplePosition {
        receivers.indices.lazy.map { receivers[$0].oldestColumn }.min()!
    }
    private var oldestOuterColumn: SamplePosition? {
        receivers.indices.lazy.compactMap { receivers[$0].oldestOuterColumn }.min()
    }

    /// Moves the clock on; see ``FamilyReceiver/skip(samples:)``.
    mutating func skip(samples: Int64) {
        for index in receivers.indices { receivers[index].skip(samples: samples) }
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout SegmentGroup) {
        field.exchangeScratch(with: &other.field)
        for index in receivers.indices { receivers[index].exchangeScratch(with: &other.receivers[index]) }
    }

    /// Takes fresh samples of `baseband`, which it must hold from ``oldestNeeded`` on.
    mutating func process(
        _ fresh: ArraySlice<Complex>, _ baseband: BasebandWindow, _ noise: SteadyNoise,
        into reports: inout [DecodeReport]
    ) {
        field.append(fresh)
        for index in receivers.indices {
            receivers[index].search(&field, baseband, noise, into: &reports)
        }
        field.drop(before: oldestColumn, outer: oldestOuterColumn)
    }

    /// Takes the next samples of a loud passage; see ``DSSSReceiver/hearPromptly(_:_:)``.
    mutating func hearPromptly(
        _ passage: LoudPassage, _ fresh: ArraySlice<Complex>, into reports: inout [DecodeReport]
    ) {
        for index in receivers.indices { reports += receivers[index].hearPromptly(passage, fresh) }
    }

    mutating func endPassage() {
        for index in receivers.indices { receivers[index].endPassage() }
    }
}
