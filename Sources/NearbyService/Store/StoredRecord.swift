import FoundationEssentials
import Nearby
import NearbyWire

/// A device's row in any store: its publications and subscriptions, and the number by which its tokens name
/// it.
package struct StoredRecord: Codable {
    var record: WireRecord
    /// Nothing. Version 0.9.0 kept tokens here, and reads no row without it.
    var tokens: [String] = []
    /// The number of `TokenHandle`. Version 0.9.0 leaves it out.
    var handle: UInt64?
    /// The name by which the device's owner looks for it; `nil` if it has none. Earlier versions leave it
    /// out, and ignore it.
    var label: String?

    private enum CodingKeys: CodingKey {
        case record, tokens, handle, label
    }

    package init(_ device: StoredDevice) {
        record = WireRecord(device.record)
        handle = device.record.handle?.bits
        label = device.label
    }

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        record = try body.decode(WireRecord.self, forKey: .record)
        handle = try body.decodeIfPresent(UInt64.self, forKey: .handle)
        label = try body.decodeIfPresent(String.self, forKey: .label)
    }

    package var body: Data { WireCoding.encode(self) }

    /// Reads a stored row. Throws: an error that states what is wrong and where.
    package static func device(
        _ secret: SecretHash, key: KeyID, _ body: Data
    ) throws(WireError) -> StoredDevice {
        let stored = try WireCoding.decode(StoredRecord.self, from: body)
        var record = try stored.record.value()
        if let number = stored.handle {
            guard let handle = TokenHandle(bits: number) else {
                throw WireError("handle", "a number below 2³⁸, not \(number)")
            }
            record.handle = handle
        }
        return StoredDevice(secret: secret, key: key, label: stored.label, record: record)
    }
}
