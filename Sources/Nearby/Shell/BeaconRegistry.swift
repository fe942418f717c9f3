/// Whoever knows what beacons stand for: a server, or a list in this process.
public protocol BeaconRegistry: Sendable {
    /// What may be seen of those observed: nothing at all of one that is unknown, switched off or somebody else's.
    ///
    /// - Parameters:
    ///   - observed: in any number.
    ///   - types: none: which of them are known, without attachments.
    func attachments(
        for observed: Set<AdvertisedID>, types: Set<AttachmentFilter>
    ) async throws(RegistryError) -> [KnownBeacon]
}
