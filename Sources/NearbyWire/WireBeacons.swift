import FoundationEssentials
import Nearby

/// ``AdvertisedID`` as JSON.
package struct WireAdvertisedID: Codable, Sendable, Hashable {
    /// The kind: `EDDYSTONE`, `IBEACON`, `ALTBEACON` or `EDDYSTONE_EID`.
    package var type: String
    /// The bytes of the id, as base64 in JSON.
    package var id: Data

    private static let kinds: [(name: String, kind: AdvertisedID.Kind)] = [
        ("EDDYSTONE", .eddystone), ("IBEACON", .iBeacon), ("ALTBEACON", .altBeacon),
        ("EDDYSTONE_EID", .ephemeral),
    ]

    /// Encodes an id: its bytes, and its kind by the name in Google's Proximity Beacon API.
    package init(_ id: AdvertisedID) {
        type = WireAdvertisedID.kinds.first { $0.kind == id.kind }?.name ?? ""
        self.id = Data(id.bytes)
    }

    /// Throws: `DecodingError`; ``WireError`` for an id that is not base64.
    package init(from decoder: any Decoder) throws {
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
package struct WireAttachment: Codable, Sendable, Hashable {
    /// The type as one text: `namespace/type`.
    package var namespacedType: String
    /// The content, as base64 in JSON.
    package var data: Data
    /// The greatest distance in metres, or `nil` if there is no limit.
    package var maxDistanceMeters: Double?

    /// Encodes an attachment. It omits a distance of 0, which means no limit.
    package init(_ attachment: BeaconAttachment) {
        (namespacedType, data) = (attachment.type.description, Data(attachment.content))
        maxDistanceMeters =
            attachment.maximumDistanceMeters == 0 ? nil : attachment.maximumDistanceMeters
    }

    /// Throws: `DecodingError`; ``WireError`` for data that is not base64, or a distance that is not a
    /// number.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        namespacedType = try body.decode(String.self, forKey: .namespacedType)
        data = try body.decodeBase64(.data)
        maxDistanceMeters = try body.decodeNumberIfPresent(Double.self, .maxDistanceMeters)
    }

    /// Decodes the attachment.
    ///
    /// - Parameter place: the place in the body, for the error.
    ///
    /// Throws: an error that says what is wrong, and where.
    package func value(_ place: String) throws(WireError) -> BeaconAttachment {
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

/// A query about beacons that were observed.
package struct WireBeaconQuery: Codable, Sendable, Hashable {
    /// One beacon that was observed. Other members of the body, for example a time, are ignored.
    package struct Observation: Codable, Sendable, Hashable {
        /// The id that was received, even if the beacon changes it later.
        package var advertisedId: WireAdvertisedID

        /// Encodes an observation. It contains only the id: neither the time nor the signal.
        package init(_ id: AdvertisedID) { advertisedId = WireAdvertisedID(id) }
    }

    /// The highest number of observations in one query; ``value()`` takes no more.
    package static let maximumObservationCount = 200
    /// The highest number of ``namespacedTypes`` in one query; ``value()`` takes no more.
    package static let maximumTypeCount = 100

    /// The observations, at most ``maximumObservationCount``. Repeated ones count once.
    package var observations: [Observation]
    /// The requested types: `namespace/type`, `namespace/*` or `*`; `nil` if there are none.
    package var namespacedTypes: [String]?

    /// Encodes a query without checking the limits, which the caller has to respect.
    ///
    /// - Parameter types: the requested types. If it is empty, the answer says which beacons are known,
    ///   without attachments.
    package init(_ observed: some Sequence<AdvertisedID>, types: some Sequence<AttachmentFilter>) {
        observations = observed.map { Observation($0) }
        namespacedTypes = types.map(\.description).sorted().nonEmpty
    }

    /// Throws: `DecodingError`; ``WireError`` for a list that is too long.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        observations = try body.decodeRequiredList(
            Observation.self, .observations, upTo: WireBeaconQuery.maximumObservationCount)
        namespacedTypes = try body.decodeList(
            String.self, .namespacedTypes, upTo: WireBeaconQuery.maximumTypeCount)
    }

    /// Decodes the query, with each observed id once. Throws: an error that says what is wrong, and where.
    package func value() throws(WireError) -> (observed: [AdvertisedID], filters: Set<AttachmentFilter>) {
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

/// The answer to a query: the observed beacons that are known. It says nothing about others.
package struct WireBeaconAnswer: Codable, Sendable, Hashable {
    /// `KnownBeacon` as JSON.
    package struct Beacon: Codable, Sendable, Hashable {
        /// The id under which the beacon was observed, which is one of those in the query.
        package var advertisedId: WireAdvertisedID
        /// The beacon's name, `beacons/N!hex`, which stays the same when the beacon changes its id.
        package var beaconName: String
        /// The requested attachments that the project may see, or `nil` if there are none.
        package var attachments: [WireAttachment]?
    }

    /// The observed beacons that the project may know. The answer does not say why others are missing.
    package var beacons: [Beacon]

    /// Encodes the beacons in their order. A beacon without attachments gets no list of them.
    package init(_ beacons: [KnownBeacon]) {
        self.beacons = beacons.map {
            Beacon(
                advertisedId: WireAdvertisedID($0.id), beaconName: $0.name,
                attachments: $0.attachments.map(WireAttachment.init).nonEmpty)
        }
    }

    /// Decodes the answer. Throws: an error that says what is wrong, and where.
    package func value() throws(WireError) -> [KnownBeacon] {
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
