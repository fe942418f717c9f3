import Nearby

extension NearbyService {
    /// Before a question about beacons is read: to read it costs its bytes, whatever is in it.
    func spend(bytes: Int, _ client: ClientNetwork) throws(ServiceRefusal) {
        let beacons =
            Double(max(0, bytes - ServiceSettings.freeQuestionBytes)) / ServiceSettings.bytesPerBeacon
        // More than there ever is at once would be waited for in vain.
        let amount = min(beacons, settings.beaconsPerAddress.atOnce)
        try addresses.spend(amount, .beacon, client, settings, now: clock.now)
    }

    func beacons(
        _ observed: [AdvertisedID], _ filters: Set<AttachmentFilter>, project: ProjectID,
        client: ClientNetwork
    ) async throws(ServiceRefusal) -> [KnownBeacon] {
        try addresses.spend(Double(observed.count), .beacon, client, settings, now: clock.now)
        do {
            return try await beacons.answer(for: observed, filters: filters, project: project)
        } catch {
            throw ServiceRefusal(error)
        }
    }
}
