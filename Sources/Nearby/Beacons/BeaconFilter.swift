/// What a subscription is told of beacons: what a registry is asked for it, what of the answers it takes, and which ids it takes as
/// they are.
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

    /// - Parameter hasRegistry: where there is none, ids are all that is known of beacons.
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

    /// Of the project's own.
    private mutating func add(_ type: String) {
        switch questions[.own] {
        case .every?: break
        case .only(let types)?: questions[.own] = .only(types.union([type]))
        case nil: questions[.own] = .only([type])
        }
    }
}

/// A beacon's id as a message, for whoever keeps a list of beacons of their own. Names as in Nearby Messages for Android.
public enum RawBeacon {
    /// Of both types. Who subscribes to it is told ids also where a registry knows what they stand for.
    public static let namespace = "__reserved_namespace"
    /// Content: namespace 10 bytes, instance 6.
    public static let eddystoneType = "__eddystone_uid"
    /// Content: UUID 16 bytes, major 2, minor 2.
    public static let iBeaconType = "__i_beacon_id"

    static let types: [AdvertisedID.Kind: String] = [.eddystone: eddystoneType, .iBeacon: iBeaconType]

    /// Nil for kinds that have no name there.
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
    /// Ids of beacons, as they are; of both kinds unless one is named.
    public static let rawBeacons = MessageFilter([.namespace(RawBeacon.namespace)])
}

extension AttachmentFilter {
    /// Whether an answer to it may hold this.
    func admits(_ type: AttachmentType) -> Bool {
        switch self {
        case .own: true
        case .namespace(let name): type.namespace == name
        case .type(let one): type == one
        }
    }
}
