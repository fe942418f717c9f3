import BLEMedium
import Beacons

/// One item of an advertisement: a beacon's frame, a token, or unrecognized data.
enum Finding: Hashable, Sendable {
    case token([UInt8])
    case beacon(Beacon)
    /// Data that claims to be a beacon's but is malformed, with the reason.
    case malformed(String)
    case service(BluetoothUUID, [UInt8])
    case company(UInt16, [UInt8])
    /// An advertisement without any of these items.
    case device

    /// Returns all findings in an advertisement, at least one. It accepts any data, because strangers choose
    /// it.
    static func all(in data: [UInt8]) -> [Finding] {
        var findings = TokenAdvertisement().frames(in: data).map { Finding.token($0) }
        var reader = Advertisement(data.span).structures
        while let structure = reader.next() {
            do throws(BeaconRejection) {
                if let beacon = try Beacon(structure) {
                    findings.append(.beacon(beacon))
                    continue
                }
            } catch {
                findings.append(.malformed(error.description))
                continue
            }
            if let data = structure.serviceData {
                let payload = bytes(data.payload)
                // A token of our service is in the list already.
                let isToken = findings.contains { $0 == .token(Array(payload.dropFirst())) }
                if data.uuid != .nearby || !isToken { findings.append(.service(data.uuid, payload)) }
            } else if let data = structure.manufacturerData {
                findings.append(.company(data.company, bytes(data.payload)))
            }
        }
        return findings.isEmpty ? [.device] : findings
    }

    private static func bytes(_ span: borrowing Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }

    var isBeaconOrToken: Bool {
        switch self {
        case .token, .beacon: true
        default: false
        }
    }

    var referencePower: ReferencePower? {
        if case .beacon(let beacon) = self { beacon.referencePower } else { nil }
    }

    /// The company that the data names; `nil` if it names none.
    var company: UInt16? {
        switch self {
        case .company(let company, _): company
        case .beacon(.iBeacon): IBeaconFrame.company
        case .beacon(.altBeacon(let frame)): frame.company
        default: nil
        }
    }

    /// The name of the finding's kind in JSON and lines.
    var kind: String {
        switch self {
        case .token: "token"
        case .beacon(.eddystone(.uid)): "eddystone-uid"
        case .beacon(.eddystone(.url)): "eddystone-url"
        case .beacon(.eddystone(.telemetry)): "eddystone-tlm"
        case .beacon(.eddystone(.encryptedTelemetry)): "eddystone-etlm"
        case .beacon(.eddystone(.ephemeral)): "eddystone-eid"
        case .beacon(.eddystone(.unknown)): "eddystone-unknown"
        case .beacon(.iBeacon): "ibeacon"
        case .beacon(.altBeacon): "altbeacon"
        case .malformed: "malformed"
        case .service: "service-data"
        case .company: "manufacturer-data"
        case .device: "device"
        }
    }

    /// A key that identifies the finding among those of its sender, independent of changing values. One
    /// sender may be several beacons in turn. All telemetry of a sender shares one key.
    var topic: String {
        switch self {
        case .token(let bytes): "\(kind) \(FindingWords.hex(bytes))"
        case .beacon(let beacon): "\(kind) \(Finding.identity(of: beacon))"
        case .service(let uuid, _): "\(kind) \(uuid)"
        case .company(let company, _): "\(kind) \(company)"
        case .malformed, .device: kind
        }
    }

    private static func identity(of beacon: Beacon) -> String {
        switch beacon {
        case .eddystone(.uid(let frame)): "\(frame.identifier)"
        case .eddystone(.url(let frame)): frame.text
        case .eddystone(.ephemeral(let frame)): "\(frame.identifier)"
        case .eddystone(.unknown(let type, _)): "\(type)"
        case .eddystone(.telemetry), .eddystone(.encryptedTelemetry): ""
        case .iBeacon(let frame): "\(frame.uuid) \(frame.major) \(frame.minor)"
        case .altBeacon(let frame): "\(frame.company) \(frame.organization) \(frame.unit)"
        }
    }
}

extension Finding {
    /// Patterns of all beacons and tokens. The kernel may hide advertisements that match none of them.
    static let beaconPatterns: [RadioOrder.Pattern] = [
        TokenAdvertisement().pattern,
        RadioOrder.Pattern(type: ADType.serviceData16.rawValue, [0xAA, 0xFE]),
        RadioOrder.Pattern(type: ADType.manufacturerData.rawValue, [0x4C, 0x00, 0x02, 0x15]),
        RadioOrder.Pattern(type: ADType.manufacturerData.rawValue, offset: 2, [0xBE, 0xAC]),
    ]
}
