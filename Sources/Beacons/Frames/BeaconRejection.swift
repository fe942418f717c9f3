/// Why bytes that say they are a beacon's are not.
public enum BeaconRejection: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        case eddystone = "Eddystone"
        case uid = "Eddystone-UID"
        case url = "Eddystone-URL"
        case telemetry = "Eddystone-TLM"
        case encryptedTelemetry = "encrypted Eddystone-TLM"
        case ephemeral = "Eddystone-EID"
        case altBeacon = "AltBeacon"
        case iBeacon = "iBeacon"
    }

    /// A frame of that kind has other numbers of bytes.
    case byteCount(Kind, expected: [Int], received: Int)
    /// An Eddystone-URL's scheme, of which there are four.
    case scheme(UInt8)
    /// A byte that Eddystone-URL reserves.
    case reservedCode(UInt8)

    public var description: String {
        switch self {
        case .byteCount(let kind, let expected, let received):
            let counts =
                expected.count > 2
                ? "\(expected[0]) to \(expected[expected.count - 1])"
                : expected.map(String.init).joined(separator: " or ")
            return "\(kind.rawValue): \(counts) bytes were expected, \(received) came"
        case .scheme(let code): return "Eddystone-URL: a scheme from 0 to 3 was expected, \(code) came"
        case .reservedCode(let code):
            return "Eddystone-URL: a character or a code from 0 to 13 was expected, \(code) came"
        }
    }
}
