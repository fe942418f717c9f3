/// A registry that knows the attachments of beacons: a server, or a list in this process.
public protocol BeaconRegistry: Sendable {
    /// Returns the visible attachments of the observed beacons. The answer omits a beacon that is unknown,
    /// switched off or owned by someone else.
    ///
    /// - Parameters:
    ///   - observed: any number of ids.
    ///   - types: the types of the attachments. If it is empty, the answer says which beacons are known,
    ///     without attachments.
    func attachments(
        for observed: Set<AdvertisedID>, types: Set<AttachmentFilter>
    ) async throws(RegistryError) -> [KnownBeacon]
}
