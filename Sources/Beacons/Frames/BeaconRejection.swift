/// Why bytes that say they are a beacon's are not.
public enum BeaconRejection: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the bytes say they are; the raw value is its name for people.
    public enum Kind: String, Hashable, Sendable {
        /// A frame of Eddystone without any byte, so of no type.
        case eddystone = "Eddystone"
        /// ``EddystoneUID``: 18 or 20 bytes.
        case uid = "Eddystone-UID"
        /// ``EddystoneURL``: 4 to 20 bytes.
        case url = "Eddystone-URL"
        /// ``EddystoneTelemetry``: 14 bytes; also telemetry that ends before its version.
        case telemetry = "Eddystone-TLM"
        /// ``EncryptedTelemetry``: 18 bytes.
        case encryptedTelemetry = "encrypted Eddystone-TLM"
        /// ``EddystoneEID``: 10 bytes.
        case ephemeral = "Eddystone-EID"
        /// ``AltBeaconFrame``: 24 bytes after the company.
        case altBeacon = "AltBeacon"
        /// ``IBeaconFrame``: 23 bytes after the company, or more.
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
