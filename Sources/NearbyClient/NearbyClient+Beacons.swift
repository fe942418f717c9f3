import Nearby
import NearbyWire

/// Requests the attachments of beacons from the server. The request carries the API key, so that a device
/// need not register for it.
extension NearbyClient: BeaconRegistry {
    public func attachments(
        for observed: Set<AdvertisedID>, types: Set<AttachmentFilter>
    ) async throws(RegistryError) -> [KnownBeacon] {
        // The order has no meaning, but equal sets must give equal requests.
        let all = observed.sorted { ($0.kind.rawValue, $0.bytes) < ($1.kind.rawValue, $1.bytes) }
        var known: [KnownBeacon] = []
        for first in stride(from: 0, to: all.count, by: WireBeaconQuery.maximumObservationCount) {
            let some = all[first...].prefix(WireBeaconQuery.maximumObservationCount)
            known += try await core.beacons(WireBeaconQuery(some, types: types))
        }
        return known
    }
}

private func < (one: (String, [UInt8]), other: (String, [UInt8])) -> Bool {
    one.0 == other.0 ? one.1.lexicographicallyPrecedes(other.1) : one.0 < other.0
}

extension ClientCore {
    fileprivate func beacons(_ query: WireBeaconQuery) async throws(RegistryError) -> [KnownBeacon] {
        if state.withLock({ $0.isShut }) { throw .unreachable("the client is shut down") }
        let reply = try await web.post(
            "/v1/beacons:getforobserved", bearer: apiKey, WireCoding.encode(query))
        switch reply.status {
        case 200: break
        default: throw reply.failure(ofKey: apiKey)
        }
        do throws(WireError) {
            return try WireCoding.decode(WireBeaconAnswer.self, from: reply.body).value()
        } catch {
            throw .unreachable("no answer of a Nearby server: " + OneLine.of("\(error)", without: [apiKey]))
        }
    }
}
