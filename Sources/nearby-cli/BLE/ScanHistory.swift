import BLEMedium
import Beacons
import Nearby

/// The advertisers that were heard, and the findings reported about them. A value type of bounded size. At
/// the limit, a new entry replaces the one that was not heard for the longest time.
struct ScanHistory: Sendable {
    static let limit = 1024
    /// The minimum interval between two reports of an entry that keeps changing.
    static let pause = Duration.seconds(1)

    private struct Key: Hashable {
        var address: RadioAddress
        var topic: String
    }

    /// One finding of one advertiser.
    struct Entry: Sendable {
        var address: RadioAddress
        var finding: Finding
        var advertisedName: AdvertisementContent.Name?
        var data: [UInt8]
        var rssiDBm: Int?
        /// The time of the first reception since the radio started.
        var firstSeen: Duration
        var lastSeen: Duration
        var count = 1
        var distance: DistanceEstimate?
        fileprivate var filter = DistanceFilter()
        fileprivate var printed: Finding?
        fileprivate var lastReported: Duration

        var name: String? { advertisedName?.text }
        /// `true` if only one advertisement of this entry was heard.
        var isFirst: Bool { count == 1 }
    }

    private let onlyBeacons: Bool
    private let tellsAll: Bool
    private var known: [Key: Entry] = [:]
    /// The number of entries that were created, including those that were replaced since. An entry that
    /// returns after its replacement counts again.
    private(set) var foundCount = 0

    init(onlyBeacons: Bool, tellsAll: Bool) { (self.onlyBeacons, self.tellsAll) = (onlyBeacons, tellsAll) }

    /// All entries, in the order of their first reception.
    var entries: [Entry] { known.values.sorted { $0.firstSeen < $1.firstSeen } }

    /// Records an advertisement. Returns the entries to report: new ones and changed ones.
    mutating func note(_ report: AdvertisingReport, at now: Duration) -> [Entry] {
        let content = AdvertisementContent(report.data)
        return Finding.all(in: report.data).compactMap { finding in
            guard !onlyBeacons || finding.isBeaconOrToken else { return nil }
            let key = Key(address: report.address, topic: finding.topic)
            var entry = known[key] ?? fresh(report, finding, now)
            if known[key] != nil { entry.count += 1 }
            (entry.finding, entry.data, entry.lastSeen) = (finding, report.data, now)
            entry.rssiDBm = report.rssiDBm
            entry.advertisedName = AdvertisementContent.Name.better(entry.advertisedName, content.name)
            if let rssi = report.rssiDBm { entry.filter.add(rssiDBm: Int8(clamping: rssi), at: now) }
            let reference =
                finding.referencePower
                ?? content.txPowerDBm.map { ReferencePower(atZeroMetersDBm: Int($0)) }
            entry.distance = reference.flatMap { entry.filter.estimate(at: now, reference: $0) }
            let isChange =
                entry.printed != finding && (entry.isFirst || entry.lastReported + ScanHistory.pause <= now)
            if isChange { (entry.printed, entry.lastReported) = (finding, now) }
            known[key] = entry
            return isChange || tellsAll ? entry : nil
        }
    }

    private mutating func fresh(_ report: AdvertisingReport, _ finding: Finding, _ now: Duration) -> Entry {
        if known.count >= ScanHistory.limit,
            let oldest = known.min(by: { $0.value.lastSeen < $1.value.lastSeen })
        {
            known[oldest.key] = nil
        }
        foundCount += 1
        return Entry(
            address: report.address, finding: finding, data: report.data, firstSeen: now, lastSeen: now,
            lastReported: now)
    }
}

/// The parts of an advertisement that describe its sender.
struct AdvertisementContent: Sendable, Hashable {
    struct Name: Sendable, Hashable {
        var text: String
        /// `true` if the name is not shortened.
        var isComplete: Bool

        /// Prefers a complete name to a shortened one, and otherwise the newer one.
        static func better(_ old: Name?, _ new: Name?) -> Name? {
            guard let old, let new else { return new ?? old }
            return old.isComplete && !new.isComplete ? old : new
        }
    }

    var name: Name?
    var txPowerDBm: Int8?

    init(_ data: [UInt8]) {
        var reader = Advertisement(data.span).structures
        while let structure = reader.next() {
            if let power = structure.txPowerDBm { txPowerDBm = power }
            guard structure.type == .completeLocalName || structure.type == .shortenedLocalName else {
                continue
            }
            let body = structure.body
            let text = String(decoding: body.indices.map { body[$0] }, as: UTF8.self)
            name = .better(name, Name(text: text, isComplete: structure.type == .completeLocalName))
        }
    }
}
