/// The reason why bytes that are marked as a beacon's are invalid.
public enum BeaconRejection: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of frame that the bytes are marked as; the raw value is its name for people.
    public enum Kind: String, Hashable, Sendable {
        /// An Eddystone frame without any byte, and so without a type.
        case eddystone = "Eddystone"
        /// ``EddystoneUID``: 18 or 20 bytes.
        case uid = "Eddystone-UID"
        /// ``EddystoneURL``: 4 to 20 bytes.
        case url = "Eddystone-URL"
        /// ``EddystoneTelemetry``: 14 bytes; also for telemetry that ends before its version.
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

    /// The frame's number of bytes does not fit its kind.
    case byteCount(Kind, expected: [Int], received: Int)
    /// The scheme of an Eddystone-URL is not one of the four.
    case scheme(UInt8)
    /// The byte is reserved in Eddystone-URL.
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
