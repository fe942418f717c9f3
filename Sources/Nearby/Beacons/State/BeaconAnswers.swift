/// A bounded cache of what a registry answered about beacons, including that it does not know a beacon.
struct BeaconAnswers: Sendable {
    struct Key: Sendable, Hashable {
        var filter: AttachmentFilter
        var id: AdvertisedID
    }

    private struct Known: Sendable {
        var beacon: KnownBeacon
        /// The time for the next query, if the beacon is still there.
        var renewal: Instant
        /// The time from which the answer no longer counts, if no query was answered.
        var end: Instant
    }

    private static let knownLimit = 1024
    private static let unknownLimit = 4096
    private static let attachmentLimit = 64

    private let settings: EngineSettings
    private var known: [Key: Known] = [:]
    private var unknown: [Key: Instant] = [:]

    init(_ settings: EngineSettings) { self.settings = settings }

    subscript(_ filter: AttachmentFilter, _ id: AdvertisedID) -> KnownBeacon? {
        known[Key(filter: filter, id: id)]?.beacon
    }

    func mustAsk(_ filter: AttachmentFilter, _ id: AdvertisedID, now: Instant) -> Bool {
        let key = Key(filter: filter, id: id)
        if let known = known[key] { return known.renewal <= now }
        return unknown[key].map { $0 <= now } ?? true
    }

    /// - Parameter answer: the known beacons. It lists no unknown ones; beacons that were not asked for are
    ///   ignored.
    mutating func take(_ answer: [KnownBeacon], to question: BeaconQuery, now: Instant) {
        var answered: [AdvertisedID: KnownBeacon] = [:]
        for beacon in answer where answered[beacon.id] == nil { answered[beacon.id] = beacon }
        for id in question.ids {
            let key = Key(filter: question.filter, id: id)
            if var beacon = answered[id] {
                beacon.attachments = Array(
                    beacon.attachments.filter { question.filter.admits($0.type) }
                        .prefix(BeaconAnswers.attachmentLimit))
                unknown[key] = nil
                if known.count >= BeaconAnswers.knownLimit, known[key] == nil { dropKnown() }
                let renewal = now + settings.knownBeaconMemory
                known[key] = Known(
                    beacon: beacon, renewal: renewal, end: renewal + settings.knownBeaconMemory)
            } else {
                known[key] = nil
                if unknown.count >= BeaconAnswers.unknownLimit, unknown[key] == nil { dropUnknown() }
                unknown[key] = now + settings.unknownBeaconMemory
            }
        }
    }

    private mutating func dropKnown() {
        if let oldest = known.min(by: { $0.value.end < $1.value.end }) { known[oldest.key] = nil }
    }

    private mutating func dropUnknown() {
        if let oldest = unknown.min(by: { $0.value < $1.value }) { unknown[oldest.key] = nil }
    }

    /// Extends the validity of answers by a time during which no registry could be asked. The next query is
    /// not postponed.
    mutating func extend(by duration: Duration) {
        known = known.mapValues { Known(beacon: $0.beacon, renewal: $0.renewal, end: $0.end + duration) }
    }

    /// Removes expired entries, and returns the ids of the beacons that the registry had known.
    mutating func sweep(now: Instant) -> Set<AdvertisedID> {
        let over = known.filter { $0.value.end <= now }.keys
        for key in over { known[key] = nil }
        unknown = unknown.filter { $0.value > now }
        return Set(over.map { $0.id })
    }
}
