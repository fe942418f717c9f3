/// A frame of Eddystone, in the service data of ``BluetoothUUID/eddystone``, after the UUID.
///
///     | type: 4 bits, and 0000 | as the type says |
///
/// Other frames use that UUID too, such as sensors' frames of type 0x21: they are
/// ``unknown(type:byteCount:)``.
///
/// Reference: github.com/google/eddystone, protocol-specification.md.
public enum EddystoneFrame: Hashable, Sendable {
    /// The beacon's fixed identifier, which everybody can read.
    case uid(EddystoneUID)
    /// A web address.
    case url(EddystoneURL)
    /// The beacon's state, for everybody.
    case telemetry(EddystoneTelemetry)
    /// The beacon's state, for those who have its key.
    case encryptedTelemetry(EncryptedTelemetry)
    /// The beacon's changing identifier, for those who have its key.
    case ephemeral(EddystoneEID)
    /// A frame whose type, or whose version of telemetry, is not Eddystone's.
    case unknown(type: UInt8, byteCount: Int)

    /// Throws ``BeaconRejection`` for an invalid frame of a known type.
    public init(_ bytes: Span<UInt8>) throws(BeaconRejection) {
        guard !bytes.isEmpty else {
            throw .byteCount(.eddystone, expected: Array(1...20), received: 0)
        }
        switch bytes[0] {
        case EddystoneUID.frameType: self = .uid(try EddystoneUID(bytes))
        case EddystoneURL.frameType: self = .url(try EddystoneURL(bytes))
        case EddystoneTelemetry.frameType: self = try EddystoneFrame(telemetry: bytes)
        case EddystoneEID.frameType: self = .ephemeral(try EddystoneEID(bytes))
        default: self = .unknown(type: bytes[0], byteCount: bytes.count)
        }
    }

    private init(telemetry bytes: Span<UInt8>) throws(BeaconRejection) {
        guard bytes.count >= 2 else {
            throw .byteCount(
                .telemetry, expected: [EddystoneTelemetry.byteCount], received: bytes.count)
        }
        switch bytes[1] {
        case EddystoneTelemetry.version: self = .telemetry(try EddystoneTelemetry(bytes))
        case EncryptedTelemetry.version: self = .encryptedTelemetry(try EncryptedTelemetry(bytes))
        default: self = .unknown(type: bytes[0], byteCount: bytes.count)
        }
    }

    /// The frame's bytes; `nil` for an unknown frame.
    public var bytes: [UInt8]? {
        switch self {
        case .uid(let frame): frame.bytes
        case .url(let frame): frame.bytes
        case .telemetry(let frame): frame.bytes
        case .encryptedTelemetry(let frame): frame.bytes
        case .ephemeral(let frame): frame.bytes
        case .unknown: nil
        }
    }

    /// The frame's power; `nil` if the frame does not state it.
    public var referencePower: ReferencePower? {
        switch self {
        case .uid(let frame): ReferencePower(atZeroMetersDBm: Int(frame.txPowerAtZeroMetersDBm))
        case .url(let frame): ReferencePower(atZeroMetersDBm: Int(frame.txPowerAtZeroMetersDBm))
        case .ephemeral(let frame): ReferencePower(atZeroMetersDBm: Int(frame.txPowerAtZeroMetersDBm))
        case .telemetry, .encryptedTelemetry, .unknown: nil
        }
    }
}
