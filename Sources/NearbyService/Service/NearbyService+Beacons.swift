import Nearby

extension NearbyService {
    /// Charges the budget of an address with the bytes of a question about beacons before the question is
    /// read, because the cost of reading it depends on its size.
    func spend(bytes: Int, _ client: ClientNetwork) throws(ServiceRefusal) {
        let beacons =
            Double(max(0, bytes - ServiceSettings.freeQuestionBytes)) / ServiceSettings.bytesPerBeacon
        // An amount larger than the whole budget would never become available.
        let amount = min(beacons, settings.beaconsPerAddress.atOnce)
        try spend(amount, .beacon, of: client)
    }

    func beacons(
        _ observed: [AdvertisedID], _ filters: Set<AttachmentFilter>, project: ProjectID,
        client: ClientNetwork
    ) async throws(ServiceRefusal) -> [KnownBeacon] {
        try spend(Double(observed.count), .beacon, of: client)
        do {
            return try await beacons.answer(for: observed, filters: filters, project: project)
        } catch {
            throw ServiceRefusal(error)
        }
    }
}
