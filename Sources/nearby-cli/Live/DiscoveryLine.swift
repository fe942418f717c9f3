import CommandOutput
import Nearby
import NearbyService

/// The text and JSON forms of a subscription's event; `nil` if the event is not about a message.
enum DiscoveryLine {
    static func text(_ event: SubscriptionEvent) -> String? {
        guard let (name, discovery) = parts(event) else { return nil }
        let message = discovery.message
        var cells = [name, FindingWords.printable(message.type), FindingWords.printable(message.text)]
        if let beacon = beacon(message) { cells[1...] = ["beacon", beacon] }
        if let reading = discovery.beacon { cells.append(distance(reading)) }
        return cells.joined(separator: "\t")
    }

    static func json(_ event: SubscriptionEvent) -> String? {
        guard let (name, discovery) = parts(event) else { return nil }
        let message = discovery.message
        var object = JSONObject()
        object.add("event", name)
        object.add("id", discovery.id.description)
        object.add("namespace", message.namespace)
        object.add("type", message.type)
        object.add("text", beacon(message) ?? message.text)
        if let reading = discovery.beacon {
            object.add("rssiDBm", orNull: reading.rssiDBm)
            object.add("distanceMeters", reading.meters ?? .nan, places: 2)
        }
        return object.description
    }

    /// Returns the event's name and what it is about.
    static func parts(_ event: SubscriptionEvent) -> (String, Discovery)? {
        switch event {
        case .found(let one): ("found", one)
        case .updated(let one): ("updated", one)
        case .lost(let one): ("lost", one)
        case .heardBytes, .expired: nil
        }
    }

    /// The name in `nearby beacons` of a beacon that was identified without a server; `nil` for other
    /// messages.
    private static func beacon(_ message: Message) -> String? {
        guard message.namespace == RawBeacon.namespace else { return nil }
        let kinds: [String: AdvertisedID.Kind] = [
            RawBeacon.eddystoneType: .eddystone, RawBeacon.iBeaconType: .iBeacon,
        ]
        return kinds[message.type].flatMap { AdvertisedID($0, message.content) }.map { BeaconName($0).text }
    }

    /// Formats a distance with one decimal below 10 m and none above; the estimate is no more precise.
    private static func distance(_ reading: BeaconReading) -> String {
        reading.meters.map { "\(FixedPoint.text($0, places: $0 < 10 ? 1 : 0)) m" } ?? "?"
    }
}
