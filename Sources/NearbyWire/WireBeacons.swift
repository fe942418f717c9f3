import FoundationEssentials
import Nearby

/// ``AdvertisedID`` as JSON.
public struct WireAdvertisedID: Codable, Sendable, Hashable {
    /// `EDDYSTONE`, `IBEACON`, `ALTBEACON`, `EDDYSTONE_EID`
    public var type: String
    /// Base64.
    public var id: Data

    private static let kinds: [(name: String, kind: AdvertisedID.Kind)] = [
        ("EDDYSTONE", .eddystone), ("IBEACON", .iBeacon), ("ALTBEACON", .altBeacon),
        ("EDDYSTONE_EID", .ephemeral),
    ]

    public init(_ id: AdvertisedID) {
        type = WireAdvertisedID.kinds.first { $0.kind == id.kind }?.name ?? ""
        self.id = Data(id.bytes)
    }

    func value(_ place: String) throws(WireError) -> AdvertisedID {
        guard let kind = WireAdvertisedID.kinds.first(where: { $0.name == type })?.kind else {
            throw WireError(
                "\(place).type", "EDDYSTONE, IBEACON, ALTBEACON or EDDYSTONE_EID, not '\(type.prefix(20))'")
        }
        guard let value = AdvertisedID(kind, id) else {
            throw WireError("\(place).id", "\(kind.byteCount) bytes for \(type), not \(id.count)")
        }
        return value
    }
}

/// ``BeaconAttachment`` as JSON.
public struct WireAttachment: Codable, Sendable, Hashable {
    /// `namespace/type`
    public var namespacedType: String
    public var data: Data
    /// Nil: no limit.
    public var maxDistanceMeters: Double?

    public init(_ attachment: BeaconAttachment) {
        (namespacedType, data) = (attachment.type.description, Data(attachment.content))
        maxDistanceMeters =
            attachment.maximumDistanceMeters == 0 ? nil : attachment.maximumDistanceMeters
    }

    public func value(_ place: String) throws(WireError) -> BeaconAttachment {
        guard let type = AttachmentType(namespacedType) else {
            throw WireError("\(place).namespacedType", "namespace/type, not '\(namespacedType.prefix(40))'")
        }
        guard data.count <= BeaconAttachment.maximumByteCount else {
            throw WireError(
                "\(place).data", "at most \(BeaconAttachment.maximumByteCount) bytes, not \(data.count)")
        }
        guard let value = BeaconAttachment(type, data, maximumDistanceMeters: maxDistanceMeters ?? 0) else {
            throw WireError("\(place).maxDistanceMeters", "0 or more, not \(maxDistanceMeters ?? 0)")
        }
        return value
    }
}

/// Which beacons were observed, and what is asked of them.
public struct WireBeaconQuery: Codable, Sendable, Hashable {
    public struct Observation: Codable, Sendable, Hashable {
        public var advertisedId: WireAdvertisedID

        public init(_ id: AdvertisedID) { advertisedId = WireAdvertisedID(id) }
    }

    public static let maximumObservationCount = 200
    public static let maximumTypeCount = 100

    public var observations: [Observation]
    /// `namespace/type`, `namespace/*`, `*`; nil: none.
    public var namespacedTypes: [String]?

    public init(_ observed: some Sequence<AdvertisedID>, types: some Sequence<AttachmentFilter>) {
        observations = observed.map { Observation($0) }
        namespacedTypes = types.map(\.description).sorted().nonEmpty
    }

    /// Each observed one once. Throws: what is wrong, and where.
    public func value() throws(WireError) -> (observed: [AdvertisedID], filters: Set<AttachmentFilter>) {
        guard observations.count <= WireBeaconQuery.maximumObservationCount else {
            throw WireError(
                "observations",
                "at most \(WireBeaconQuery.maximumObservationCount), not \(observations.count)")
        }
        var (observed, seen, filters) = ([AdvertisedID](), Set<AdvertisedID>(), Set<AttachmentFilter>())
        for (n, one) in observations.enumerated() {
            let id = try one.advertisedId.value("observations[\(n)].advertisedId")
            if seen.insert(id).inserted { observed.append(id) }
        }
        let types = namespacedTypes ?? []
        guard types.count <= WireBeaconQuery.maximumTypeCount else {
            throw WireError(
                "namespacedTypes", "at most \(WireBeaconQuery.maximumTypeCount), not \(types.count)")
        }
        for (n, text) in types.enumerated() {
            guard let filter = AttachmentFilter(text) else {
                throw WireError(
                    "namespacedTypes[\(n)]", "namespace/type, namespace/* or *, not '\(text.prefix(40))'")
            }
            filters.insert(filter)
        }
        return (observed, filters)
    }
}

/// What is known of the beacons observed: nothing is said of others.
public struct WireBeaconAnswer: Codable, Sendable, Hashable {
    public struct Beacon: Codable, Sendable, Hashable {
        public var advertisedId: WireAdvertisedID
        public var beaconName: String
        public var attachments: [WireAttachment]?
    }

    public var beacons: [Beacon]

    public init(_ beacons: [KnownBeacon]) {
        self.beacons = beacons.map {
            Beacon(
                advertisedId: WireAdvertisedID($0.id), beaconName: $0.name,
                attachments: $0.attachments.map(WireAttachment.init).nonEmpty)
        }
    }

    /// Throws: what is wrong, and where.
    public func value() throws(WireError) -> [KnownBeacon] {
        var known: [KnownBeacon] = []
        for (n, one) in beacons.enumerated() {
            let id = try one.advertisedId.value("beacons[\(n)].advertisedId")
            var attachments: [BeaconAttachment] = []
            for (k, attachment) in (one.attachments ?? []).enumerated() {
                attachments.append(try attachment.value("beacons[\(n)].attachments[\(k)]"))
            }
            known.append(KnownBeacon(id: id, name: one.beaconName, attachments: attachments))
        }
        return known
    }
}
