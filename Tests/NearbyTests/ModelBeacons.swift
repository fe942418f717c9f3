import Nearby

/// The beacons around the devices of a ``ModelWorld`` and their attachments. Half of them have some, and this
/// may change.
struct ModelBeacons {
    static let ids: [AdvertisedID] = (0..<8).compactMap { number in
        let kind = AdvertisedID.Kind.allCases[number % 4]
        return AdvertisedID(kind, [UInt8](repeating: UInt8(number), count: kind.byteCount))
    }
    private static let namespaces = ["project", "com.other"]

    /// The beacons that are registered.
    var registered = Set(ids.prefix(4))

    /// Returns the answer to a question. Each attachment names its beacon.
    func known(_ question: BeaconQuery) -> [KnownBeacon] {
        question.ids.filter(registered.contains).sorted { $0.bytes[0] < $1.bytes[0] }.map { id in
            let attachments = ModelBeacons.namespaces.flatMap { namespace in
                ["", "2"].compactMap { more -> BeaconAttachment? in
                    guard let type = AttachmentType(namespace: namespace, type: "t" + more) else {
                        return nil
                    }
                    return BeaconAttachment(type, [id.bytes[0]])
                }
            }.filter { attachment in
                switch question.filter {
                case .own: attachment.type.namespace == "project"
                case .namespace(let name): attachment.type.namespace == name
                case .type(let type): attachment.type == type
                }
            }
            return KnownBeacon(id: id, name: "beacon \(id.bytes[0])", attachments: attachments)
        }
    }

    static func id(of message: Message) -> AdvertisedID? {
        message.content.first.flatMap { number in ids.first { $0.bytes[0] == number } }
    }

    /// Returns the messages that a subscription finds if all beacons are heard.
    func expected(for subscription: Subscription) -> [String] {
        guard let beacons = subscription.beacons else { return [] }
        let heard = registered.filter { beacons.kinds.contains($0.kind) }
        return subscription.filter.rules.flatMap { rule -> [String] in
            let types: [String] =
                switch rule {
                case .namespace(""): ["project/t", "project/t2"]
                case .namespace(let name): [name + "/t", name + "/t2"]
                case .type(let type, ""): type.hasPrefix("t") ? ["project/" + type] : []
                case .type(let type, let namespace): [namespace + "/" + type]
                case .audioBytes: []
                }
            return heard.flatMap { id in types.map { "\(id.bytes[0]) \($0)" } }
        }.sorted()
    }

    static func words(_ discovery: Discovery) -> String {
        let message = discovery.message
        return "\(message.content.first ?? 0) \(message.namespace)/\(message.type)"
    }
}
