import ArgumentParser
import Nearby
import NearbyService

/// A beacon's name in the form that people write, and that `nearby ble scan` and `nearby beacons` print.
extension BeaconName: ExpressibleByArgument {
    static let forms = """
        eddystone:NAMESPACE+INSTANCE (20 and 12 hexadecimal digits), ibeacon:UUID/MAJOR/MINOR, altbeacon:ID (40 digits), or \
        beacons/N!HEX
        """

    /// Parses a name. Throws: 64 with a list of the valid forms if the text has none of them.
    static func parsed(_ text: String) throws -> BeaconName {
        guard let name = BeaconName(argument: text) else { throw ValidationError("expected \(forms)") }
        return name
    }

    public init?(argument: String) {
        if let name = BeaconName(argument) {
            self = name
            return
        }
        let parts = argument.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let id = BeaconName.id(parts[0].lowercased(), parts[1]) else { return nil }
        self.init(id)
    }

    private static func id(_ kind: String, _ text: Substring) -> AdvertisedID? {
        switch kind {
        case "eddystone":
            let parts = text.split(separator: "+", omittingEmptySubsequences: false).map { Hex.bytes($0) }
            guard parts.count == 2, let namespace = parts[0], let instance = parts[1],
                namespace.count == 10
            else { return nil }
            return AdvertisedID(.eddystone, namespace + instance)
        case "ibeacon":
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, let uuid = Hex.bytes(parts[0].filter { $0 != "-" }), uuid.count == 16,
                let major = UInt16(parts[1]), let minor = UInt16(parts[2])
            else { return nil }
            return AdvertisedID(
                .iBeacon, uuid + [major, minor].flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
        case "altbeacon": return Hex.bytes(text).flatMap { AdvertisedID(.altBeacon, $0) }
        case "eid": return Hex.bytes(text).flatMap { AdvertisedID(.ephemeral, $0) }
        default: return nil
        }
    }
}
