/// An attachment of a beacon: bytes with a type.
public struct BeaconAttachment: Sendable, Hashable {
    /// The highest byte count of ``content``, which may be empty.
    public static let maximumByteCount = 1024

    /// The type by which the attachment is requested. Its two names become the namespace and type of the
    /// message that is found.
    public let type: AttachmentType
    /// The content, in a format that the owner chooses. It becomes the content of the message that is found.
    public let content: [UInt8]
    /// The distance beyond which a device is not notified of the attachment; 0 means no limit.
    public let maximumDistanceMeters: Double

    /// Creates an attachment, or returns `nil` if the content is longer than ``maximumByteCount``, or the
    /// distance is negative or not finite.
    public init?(_ type: AttachmentType, _ content: some Sequence<UInt8>, maximumDistanceMeters: Double = 0) {
        let content = Array(content)
        guard content.count <= BeaconAttachment.maximumByteCount, maximumDistanceMeters.isFinite,
            maximumDistanceMeters >= 0
        else { return nil }
        (self.type, self.content) = (type, content)
        self.maximumDistanceMeters = maximumDistanceMeters
    }
}

/// A beacon that the registry knows, with its visible attachments.
public struct KnownBeacon: Sendable, Hashable {
    /// The id under which the beacon was observed.
    public var id: AdvertisedID
    /// The beacon's name in the registry. It stays the same when the beacon changes its id.
    public var name: String
    /// The requested attachments that the requester may see. A beacon without any is still known. An engine
    /// takes at most 64.
    public var attachments: [BeaconAttachment]

    /// Creates one beacon of an answer. If two beacons have the same `id`, an engine takes the first.
    public init(id: AdvertisedID, name: String, attachments: [BeaconAttachment]) {
        (self.id, self.name, self.attachments) = (id, name, attachments)
    }
}
