import ArgumentParser
import Nearby
import NearbyService

/// A beacon as people write it down.
extension BeaconName: ExpressibleByArgument {
    static let forms = """
        eddystone:NAMESPACE+INSTANCE (20 and 12 hexadecimal digits), ibeacon:UUID/MAJOR/MINOR, altbeacon:ID (40 digits), or \
        beacons/N!HEX
        """

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

    /// As ``init(argument:)`` takes it.
    var text: String {
        let hex = Hex.text(id.bytes)
        switch id.kind {
        case .eddystone: return "eddystone:\(hex.prefix(20))+\(hex.dropFirst(20))"
        case .iBeacon:
            func number(_ first: Int) -> Int { Int(id.bytes[first]) << 8 | Int(id.bytes[first + 1]) }
            let uuid = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
                .map { String(hex.dropFirst($0.lowerBound).prefix($0.count)) }.joined(separator: "-")
            return "ibeacon:\(uuid)/\(number(16))/\(number(18))"
        case .altBeacon: return "altbeacon:\(hex)"
        case .ephemeral: return "eid:\(hex)"
        }
    }
}
