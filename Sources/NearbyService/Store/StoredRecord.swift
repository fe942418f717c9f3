import FoundationEssentials
import Nearby
import NearbyWire

/// A device's row in any store: its publications and subscriptions, and the tokens that it holds, with wall
/// times.
package struct StoredRecord: Codable {
    struct Held: Codable {
        var token: String
        var medium: String
        var endUnixMillis: Int64
    }

    var record: WireRecord
    var tokens: [Held]
    /// The name by which the device's owner looks for it; `nil` if it has none. Earlier versions leave it
    /// out, and ignore it.
    var label: String?

    package init(_ device: StoredDevice, clock: ServiceClock) {
        record = WireRecord(device.record)
        label = device.label
        tokens = device.record.tokens.map {
            Held(
                token: $0.token.description, medium: $0.medium.rawValue,
                endUnixMillis: clock.unixMillis($0.end))
        }
    }

    package var body: Data { WireCoding.encode(self) }

    /// Reads a stored row. Throws: an error that states what is wrong and where.
    package static func device(
        _ secret: SecretHash, key: KeyID, _ body: Data, clock: ServiceClock
    ) throws(WireError) -> StoredDevice {
        let stored = try WireCoding.decode(StoredRecord.self, from: body)
        var record = try stored.record.value()
        for held in stored.tokens {
            guard let token = Token(held.token), let medium = Medium(rawValue: held.medium) else {
                throw WireError("tokens", "a token and its medium, not \(held.medium)")
            }
            record.tokens.append(
                .init(token, on: medium, end: clock.instant(unixMillis: held.endUnixMillis)))
        }
        return StoredDevice(secret: secret, key: key, label: stored.label, record: record)
    }
}
