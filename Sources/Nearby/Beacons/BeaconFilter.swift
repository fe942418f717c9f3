/// The beacons' part of a subscription's filter: the queries to a registry, the types that it accepts from
/// the answers, and the kinds of ids that it accepts as raw messages.
struct BeaconFilter: Sendable, Hashable {
    enum Types: Sendable, Hashable {
        case every
        case only(Set<String>)

        func contains(_ type: String) -> Bool {
            switch self {
            case .every: true
            case .only(let types): types.contains(type)
            }
        }
    }

    private(set) var questions: [AttachmentFilter: Types] = [:]
    private(set) var rawKinds: Set<AdvertisedID.Kind> = []

    /// - Parameter hasRegistry: true if there is a beacon registry. Without one, only the ids of beacons are
    ///   known.
    init(_ filter: MessageFilter, hasRegistry: Bool) {
        for rule in filter.rules {
            switch rule {
            case .audioBytes: break
            case .namespace(RawBeacon.namespace): rawKinds.formUnion(RawBeacon.types.keys)
            case .type(let type, RawBeacon.namespace):
                rawKinds.formUnion(RawBeacon.types.filter { $0.value == type }.keys)
            case .namespace("") where !hasRegistry: rawKinds.formUnion(RawBeacon.types.keys)
            case _ where !hasRegistry: break
            case .namespace(""): questions[.own] = .every
            case .type(let type, ""): add(type)
            case .namespace(let name):
                if AttachmentType.isNamespace(name) { questions[.namespace(name)] = .every }
            case .type(let type, let namespace):
                if let type = AttachmentType(namespace: namespace, type: type) {
                    questions[.type(type)] = .every
                }
            }
        }
    }

    /// Adds a query for one type of the project's own namespaces.
    private mutating func add(_ type: String) {
        switch questions[.own] {
        case .every?: break
        case .only(let types)?: questions[.own] = .only(types.union([type]))
        case nil: questions[.own] = .only([type])
        }
    }
}

/// A beacon's raw id as a message, for apps that keep their own list of beacons. The names are those of
/// Nearby Messages for Android.
public enum RawBeacon {
    /// The namespace of both types. A subscription to it finds ids even where a registry knows the beacon's
    /// attachments.
    public static let namespace = "__reserved_namespace"
    /// The type of an Eddystone-UID message. Content: namespace 10 bytes, instance 6.
    public static let eddystoneType = "__eddystone_uid"
    /// The type of an iBeacon message. Content: UUID 16 bytes, major 2, minor 2.
    public static let iBeaconType = "__i_beacon_id"

    static let types: [AdvertisedID.Kind: String] = [.eddystone: eddystoneType, .iBeacon: iBeaconType]

    /// Returns the id as a message, or `nil` for kinds that have no name there.
    static func message(_ id: AdvertisedID) -> Message? {
        guard let type = types[id.kind] else { return nil }
        do {
            return try Message(id.bytes, type: type, namespace: namespace)
        } catch {
            preconditionFailure("20 bytes and a short name are a message")
        }
    }
}

extension MessageFilter {
    /// A filter for raw ids of beacons, of both types.
    public static let rawBeacons = MessageFilter([.namespace(RawBeacon.namespace)])
}

extension AttachmentFilter {
    /// Returns true if an answer to this query may hold an attachment of the type.
    func admits(_ type: AttachmentType) -> Bool {
        switch self {
        case .own: true
        case .namespace(let name): type.namespace == name
        case .type(let one): type == one
        }
    }
}
