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

    /// The bytes as they are, and the kind by the name that it has in Google's Proximity Beacon API.
    public init(_ id: AdvertisedID) {
        type = WireAdvertisedID.kinds.first { $0.kind == id.kind }?.name ?? ""
        self.id = Data(id.bytes)
    }

    /// Throws: `DecodingError`; ``WireError`` for an id that is no base64.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        type = try body.decode(String.self, forKey: .type)
        id = try body.decodeBase64(.id)
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
    /// Its content, as base64 in JSON.
    public var data: Data
    /// Nil: no limit.
    public var maxDistanceMeters: Double?

    /// Its type as one text; a distance of 0, which is no limit, is not written.
    public init(_ attachment: BeaconAttachment) {
        (namespacedType, data) = (attachment.type.description, Data(attachment.content))
        maxDistanceMeters =
            attachment.maximumDistanceMeters == 0 ? nil : attachment.maximumDistanceMeters
    }

    /// Throws: `DecodingError`; ``WireError`` for data that is no base64, or a distance that is no number.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        namespacedType = try body.decode(String.self, forKey: .namespacedType)
        data = try body.decodeBase64(.data)
        maxDistanceMeters = try body.decodeNumberIfPresent(Double.self, .maxDistanceMeters)
    }

    /// What the body says, once it holds as an attachment.
    ///
    /// - Parameter place: where in the body it stands, for the error.
    ///
    /// Throws: what is wrong, and where.
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
    /// One beacon that was observed. What else a body has of it, as a time, is not looked at.
    public struct Observation: Codable, Sendable, Hashable {
        /// The id as it was received, also of a beacon that changes it.
        public var advertisedId: WireAdvertisedID

        /// Only the id is told: neither when the beacon was heard, nor how well.
        public init(_ id: AdvertisedID) { advertisedId = WireAdvertisedID(id) }
    }

    /// In one query; ``value()`` takes no more.
    public static let maximumObservationCount = 200
    /// Of ``namespacedTypes`` in one query; ``value()`` takes no more.
    public static let maximumTypeCount = 100

    /// At most ``maximumObservationCount``; one that is there twice counts once.
    public var observations: [Observation]
    /// `namespace/type`, `namespace/*`, `*`; nil: none.
    public var namespacedTypes: [String]?

    /// Not cut to what may be asked at once: that is left to whoever asks.
    ///
    /// - Parameter types: none: which beacons are known, without attachments.
    public init(_ observed: some Sequence<AdvertisedID>, types: some Sequence<AttachmentFilter>) {
        observations = observed.map { Observation($0) }
        namespacedTypes = types.map(\.description).sorted().nonEmpty
    }

    /// Throws: `DecodingError`; ``WireError`` for a list that is too long.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        observations = try body.decodeRequiredList(
            Observation.self, .observations, upTo: WireBeaconQuery.maximumObservationCount)
        namespacedTypes = try body.decodeList(
            String.self, .namespacedTypes, upTo: WireBeaconQuery.maximumTypeCount)
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
    /// `KnownBeacon` as JSON.
    public struct Beacon: Codable, Sendable, Hashable {
        /// One of the ids that were asked about: what the beacon goes by at the moment.
        public var advertisedId: WireAdvertisedID
        /// `beacons/N!hex`: the same for all the names that a beacon changes.
        public var beaconName: String
        /// Those asked for that the project may see; nil: none.
        public var attachments: [WireAttachment]?
    }

    /// Those of the beacons observed that the project may know of; of others it is not told why they are
    /// missing.
    public var beacons: [Beacon]

    /// The same beacons in the same order; where there are no attachments, no list of them is written.
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
