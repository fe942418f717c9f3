import BLEMedium
import Beacons
import CommandOutput
import Nearby
import NearbyService

/// The text and JSON forms of a finding. Text from the air appears without characters that control a
/// terminal.
enum FindingWords {
    static func text(_ finding: Finding) -> String {
        switch finding {
        case .token(let bytes): hex(bytes)
        case .beacon(.eddystone(let frame)): text(frame)
        case .beacon(.iBeacon(let frame)): name(.iBeacon(frame))
        case .beacon(.altBeacon(let frame)):
            "\(name(.altBeacon(frame))) company \(company(frame.company))"
        case .malformed(let why): why
        case .service(let uuid, let bytes): "\(uuid) \(hex(bytes))"
        case .company(let number, let bytes): "\(company(number)) \(hex(bytes))"
        case .device: ""
        }
    }

    /// Formats a company's number, and its name if it is known: "004c (Apple, Inc.)".
    private static func company(_ number: UInt16) -> String {
        hex(number, digits: 4) + (BluetoothNames.company(number).map { " (\($0))" } ?? "")
    }

    private static func text(_ frame: EddystoneFrame) -> String {
        switch frame {
        case .uid: name(.eddystone(frame))
        case .url(let url): printable(url.text)
        case .telemetry(let one): text(one)
        case .encryptedTelemetry(let one): "sealed \(hex(one.bytes))"
        case .ephemeral: name(.eddystone(frame))
        case .unknown(let type, let count): "type \(hex(type, digits: 2)), \(count) bytes"
        }
    }

    /// The beacon's name in the form that `nearby beacons` accepts; empty if the beacon has no identifier.
    private static func name(_ beacon: Beacon) -> String {
        AdvertisedID(beacon).map { BeaconName($0).text } ?? ""
    }

    private static func text(_ one: EddystoneTelemetry) -> String {
        let battery = one.batteryMillivolts == 0 ? [] : ["\(one.batteryMillivolts) mV"]
        let temperature = one.temperatureCelsius.map { ["\(FixedPoint.text($0, places: 1)) °C"] } ?? []
        let rest = [
            "\(one.advertisementCount) sent", "up \(FixedPoint.text(one.uptime.inSeconds, places: 1)) s",
        ]
        return (battery + temperature + rest).joined(separator: ", ")
    }

    /// Formats an estimate, for example "1.2 m (0.5 to 3.1)".
    static func distance(_ estimate: DistanceEstimate?) -> String {
        guard let estimate else { return "" }
        let (low, high) = (estimate.range.lowerBound, estimate.range.upperBound)
        return "\(meters(estimate.meters)) m (\(meters(low)) to \(meters(high)))"
    }

    /// Formats a distance with one decimal below 10 m and none above; the estimate is no more precise.
    private static func meters(_ value: Double) -> String {
        FixedPoint.text(value, places: value < 10 ? 1 : 0)
    }

    static func add(_ finding: Finding, to object: inout JSONObject) {
        if case .beacon(let beacon) = finding, let id = AdvertisedID(beacon) {
            object.add("beacon", BeaconName(id).text)
        }
        object.add("companyName", finding.company.flatMap(BluetoothNames.company))
        switch finding {
        case .token(let bytes): object.add("token", hex(bytes))
        case .beacon(.eddystone(let frame)): add(frame, to: &object)
        case .beacon(.iBeacon(let frame)):
            object.add("uuid", uuid(frame.uuid))
            object.add("major", Int(frame.major))
            object.add("minor", Int(frame.minor))
        case .beacon(.altBeacon(let frame)):
            object.add("organization", uuid(frame.organization))
            object.add("unit", hex(frame.unit, digits: 8))
            object.add("company", hex(frame.company, digits: 4))
        case .malformed(let why): object.add("why", why)
        case .service(let uuid, let bytes):
            object.add("service", "\(uuid)")
            object.add("payload", hex(bytes))
        case .company(let company, let bytes):
            object.add("company", hex(company, digits: 4))
            object.add("payload", hex(bytes))
        case .device: break
        }
    }

    private static func add(_ frame: EddystoneFrame, to object: inout JSONObject) {
        switch frame {
        case .uid(let uid):
            object.add("namespace", hex(uid.namespace))
            object.add("instance", hex(uid.instance))
        case .url(let url): object.add("url", url.text)
        case .telemetry(let one):
            object.add(
                "batteryMillivolts", orNull: one.batteryMillivolts == 0 ? nil : Int(one.batteryMillivolts))
            object.add("temperatureCelsius", one.temperatureCelsius ?? .nan, places: 2)
            object.add("advertisementCount", Int(one.advertisementCount))
            object.add("uptimeSeconds", one.uptime.inSeconds, places: 1)
        case .encryptedTelemetry(let one): object.add("payload", hex(one.bytes))
        case .ephemeral(let one): object.add("identifier", "\(one.identifier)")
        case .unknown(let type, let count):
            object.add("type", Int(type))
            object.add("byteCount", count)
        }
    }

    // MARK: Letters

    static func hex(_ bytes: [UInt8]) -> String { bytes.map { hex($0, digits: 2) }.joined() }

    static func hex(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Formats a UUID: 32 hexadecimal digits with hyphens.
    static func uuid(_ value: UInt128) -> String {
        var (text, rest) = ("", hex(value, digits: 32)[...])
        for count in [8, 4, 4, 4, 12] {
            text += (text.isEmpty ? "" : "-") + rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        return text
    }

    /// Replaces characters that control a terminal or change the direction of its text.
    static func printable(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                shown += "\u{FFFD}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
