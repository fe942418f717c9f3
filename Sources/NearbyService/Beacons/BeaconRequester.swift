import FoundationEssentials
import Nearby
import NearbyWire

/// An app that asks what beacons stand for. It presents only its API key, because the server remembers
/// nothing of it.
package struct BeaconRequester: Sendable {
    let service: NearbyService
    let project: ProjectID
    let client: ClientNetwork

    /// Reads a question as JSON, if the budget of its address allows for its size. Throws: `.malformed`,
    /// `.tooMuch`.
    package func question(json body: Data) async throws(ServiceRefusal) -> WireBeaconQuery {
        try await service.spend(bytes: body.count, client)
        do throws(WireError) { return try WireCoding.decode(WireBeaconQuery.self, from: body) } catch {
            throw .malformed("\(error)")
        }
    }

    /// Answers a question. Throws: `.malformed`, `.tooMuch`, `.unavailable`.
    package func answer(_ query: WireBeaconQuery) async throws(ServiceRefusal) -> WireBeaconAnswer {
        let (observed, filters): ([AdvertisedID], Set<AttachmentFilter>)
        do throws(WireError) { (observed, filters) = try query.value() } catch {
            throw .malformed("\(error)")
        }
        return WireBeaconAnswer(
            try await service.beacons(observed, filters, project: project, client: client))
    }
}
