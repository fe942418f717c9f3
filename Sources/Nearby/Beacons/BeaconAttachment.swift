/// What a beacon stands for: bytes of a type.
public struct BeaconAttachment: Sendable, Hashable {
    public static let maximumByteCount = 1024

    public let type: AttachmentType
    public let content: [UInt8]
    /// Who is farther away is to be told nothing; 0: no limit.
    public let maximumDistanceMeters: Double

    /// Nil when the content is longer than ``maximumByteCount``, or the distance negative or no number.
    public init?(_ type: AttachmentType, _ content: some Sequence<UInt8>, maximumDistanceMeters: Double = 0) {
        let content = Array(content)
        guard content.count <= BeaconAttachment.maximumByteCount, maximumDistanceMeters.isFinite,
            maximumDistanceMeters >= 0
        else { return nil }
        (self.type, self.content) = (type, content)
        self.maximumDistanceMeters = maximumDistanceMeters
    }
}

/// A beacon that is known, and what of it may be seen.
public struct KnownBeacon: Sendable, Hashable {
    /// As it was observed.
    public var id: AdvertisedID
    /// Of the registry; the same for all the names that a beacon changes.
    public var name: String
    public var attachments: [BeaconAttachment]

    public init(id: AdvertisedID, name: String, attachments: [BeaconAttachment]) {
        (self.id, self.name, self.attachments) = (id, name, attachments)
    }
}
