/// A frame of Eddystone, as it stands in the service data of ``BluetoothUUID/eddystone``, after the UUID.
///
///     | type: 4 bits, and 0000 | as the type says |
///
/// Other things are sent under that UUID too, such as sensors' frames of type 0x21: they are ``unknown(type:byteCount:)``.
///
/// Reference: github.com/google/eddystone, protocol-specification.md.
public enum EddystoneFrame: Hashable, Sendable {
    /// Which beacon it is, openly.
    case uid(EddystoneUID)
    /// A web address.
    case url(EddystoneURL)
    /// How the beacon is doing, for everybody.
    case telemetry(EddystoneTelemetry)
    /// How the beacon is doing, for those who have its key.
    case encryptedTelemetry(EncryptedTelemetry)
    /// Which beacon it is, for those who have its key.
    case ephemeral(EddystoneEID)
    /// Of a type, or of a version of telemetry, that is not Eddystone's.
    case unknown(type: UInt8, byteCount: Int)

    /// Throws ``BeaconRejection`` for a frame of a known type that is not what its type says.
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

    /// As it is sent; nil for what is unknown.
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

    /// Nil for frames that do not say it.
    public var referencePower: ReferencePower? {
        switch self {
        case .uid(let frame): ReferencePower(atZeroMetersDBm: Int(frame.txPowerAtZeroMetersDBm))
        case .url(let frame): ReferencePower(atZeroMetersDBm: Int(frame.txPowerAtZeroMetersDBm))
        case .ephemeral(let frame): ReferencePower(atZeroMetersDBm: Int(frame.txPowerAtZeroMetersDBm))
        case .telemetry, .encryptedTelemetry, .unknown: nil
        }
    }
}
