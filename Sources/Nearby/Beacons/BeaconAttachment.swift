/// What a beacon stands for: bytes of a type.
public struct BeaconAttachment: Sendable, Hashable {
    /// Of ``content``, which may be empty.
    public static let maximumByteCount = 1024

    /// By which it is asked for; its two names are namespace and type of the message that is found.
    public let type: AttachmentType
    /// In its owner's words; the content of the message that is found.
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
    /// Those asked for that whoever asks may see; none: it is known all the same. An engine takes 64 of them.
    public var attachments: [BeaconAttachment]

    /// One beacon of an answer: of two with the same `id`, an engine takes the first.
    public init(id: AdvertisedID, name: String, attachments: [BeaconAttachment]) {
        (self.id, self.name, self.attachments) = (id, name, attachments)
    }
}
