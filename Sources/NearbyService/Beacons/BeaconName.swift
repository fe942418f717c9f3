import Nearby

/// The name by which an owner knows a beacon. It never changes, whatever the beacon sends.
///
///     beacons/3!00112233445566778899aabbccddeeff    3 Eddystone-UID, 1 iBeacon, 5 AltBeacon; 4 Eddystone-EID
///
/// A beacon that changes its names is registered under an Eddystone-UID that it does not send. Its current
/// identifier (4) can be looked up, but no beacon is registered under it.
package struct BeaconName: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The identifier under which the beacon is registered. The beacon sends it, unless it changes its names.
    package let id: AdvertisedID

    /// Creates the name of an identifier of any kind. A current identifier of kind `ephemeral` can be looked
    /// up, but not registered.
    package init(_ id: AdvertisedID) { self.id = id }

    /// Reads a name of the form `beacons/N!hex`; `nil` for any other text, or if the number of digits does
    /// not fit the kind N.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "!", omittingEmptySubsequences: false)
        guard parts.count == 2,
            let kind = BeaconName.kinds.first(where: { "beacons/\($0.number)" == parts[0] }),
            let bytes = Hex.bytes(parts[1]), let id = AdvertisedID(kind.kind, bytes)
        else { return nil }
        self.id = id
    }

    private static let kinds: [(number: Int, kind: AdvertisedID.Kind)] = [
        (3, .eddystone), (4, .ephemeral), (1, .iBeacon), (5, .altBeacon),
    ]

    package var description: String {
        let number = BeaconName.kinds.first { $0.kind == id.kind }?.number ?? 0
        return "beacons/\(number)!\(Hex.text(id.bytes))"
    }

    package static func < (one: BeaconName, other: BeaconName) -> Bool {
        one.description < other.description
    }
}

/// The conversion of bytes to and from hexadecimal digits.
package enum Hex {
    /// Returns the bytes as digits in lower case.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    /// Reads digits in upper or lower case; `nil` if the text has another character or an odd number of
    /// digits.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map(digit)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for first in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[first], let low = digits[first + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
