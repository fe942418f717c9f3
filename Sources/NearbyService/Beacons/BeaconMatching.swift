import Nearby

/// The view that one project has of beacons. This is a value without store or clock.
///
///     observed ─→ beacon ─→ active? ─→ attachments ─→ asked for? ─→ own namespace, or a public one
///
/// The answer omits a beacon if it is unknown or not active, or if it belongs to another project and has no
/// public attachment that was asked for. All these cases look the same.
struct BeaconMatching: Sendable {
    let project: ProjectID
    let filters: Set<AttachmentFilter>
    /// The existing namespaces among those of the attachments.
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

    /// Returns true if the beacon can have sent this identifier. A beacon that changes its names never sends
    /// the name under which it is registered; another device sends that.
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
