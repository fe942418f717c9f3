import Nearby

/// What one project sees of beacons. A value: no store, no clock.
///
///     observed ─→ beacon ─→ active? ─→ attachments ─→ asked for? ─→ own namespace, or a public one
///
/// What is not known, not active, or of others with nothing public in it, is left out, all alike.
struct BeaconMatching: Sendable {
    let project: ProjectID
    let filters: Set<AttachmentFilter>
    /// Of those of the attachments' namespaces, all that exist.
    let namespaces: [String: BeaconNamespace]

    func answer(
        for observed: [AdvertisedID], beacons: [AdvertisedID: RegisteredBeacon]
    ) -> [KnownBeacon] {
        observed.compactMap { id in beacons[id].flatMap { known($0, as: id) } }
    }

    private func known(_ beacon: RegisteredBeacon, as id: AdvertisedID) -> KnownBeacon? {
        guard beacon.status == .active, isHonest(beacon, id) else { return nil }
        let attachments = beacon.attachments.filter { isAsked($0.type) && isVisible($0.type) }
        guard beacon.project == project || (!attachments.isEmpty && id.kind != .ephemeral) else { return nil }
        return KnownBeacon(id: id, name: beacon.name.description, attachments: attachments)
    }

    /// One that changes its names never sends the one that it is registered as: who does is not this beacon.
    private func isHonest(_ beacon: RegisteredBeacon, _ id: AdvertisedID) -> Bool {
        (beacon.ephemeral != nil) == (id.kind == .ephemeral)
    }

    private func isAsked(_ type: AttachmentType) -> Bool {
        filters.contains(.type(type)) || filters.contains(.namespace(type.namespace))
            || (filters.contains(.own) && namespaces[type.namespace]?.project == project)
    }

    private func isVisible(_ type: AttachmentType) -> Bool {
        guard let namespace = namespaces[type.namespace] else { return false }
        return namespace.project == project || namespace.isPublic
    }
}
