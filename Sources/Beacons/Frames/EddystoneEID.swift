/// A frame that identifies a beacon to those who have its key. To others it changes every few minutes.
///
///     | 0x30 | tx power at 0 m 1 | identifier 8 |
public struct EddystoneEID: Hashable, Sendable {
    static let frameType: UInt8 = 0x30
    static let byteCount = 10

    /// The power received at 0 m, as sent: 41 dB above that at 1 m.
    public var txPowerAtZeroMetersDBm: Int8
    /// The beacon's identifier until its rotation ends.
    public var identifier: EphemeralIdentifier

    /// - Parameter identifier: the identifier of the beacon's present rotation:
    ///   ``EphemeralIdentity/identifier(atSeconds:)``.
    public init(identifier: EphemeralIdentifier, txPowerAtZeroMetersDBm: Int8) {
        (self.identifier, self.txPowerAtZeroMetersDBm) = (identifier, txPowerAtZeroMetersDBm)
    }

    init(_ bytes: Span<UInt8>) throws(BeaconRejection) {
        guard bytes.count == EddystoneEID.byteCount else {
            throw .byteCount(.ephemeral, expected: [EddystoneEID.byteCount], received: bytes.count)
        }
        txPowerAtZeroMetersDBm = Int8(bitPattern: bytes[1])
        identifier = EphemeralIdentifier(rawValue: bytes.bigEndian(2, as: UInt64.self))
    }

    /// The bytes of the service data after the UUID: 10 bytes.
    public var bytes: [UInt8] {
        [EddystoneEID.frameType, UInt8(bitPattern: txPowerAtZeroMetersDBm)]
            + identifier.rawValue.bigEndianBytes
    }
}

/// A beacon's identifier for a few minutes. ``EphemeralIdentity`` computes it; ``EphemeralResolver`` finds
/// its beacon.
public struct EphemeralIdentifier: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The 8 bytes, big-endian.
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The identifier as 16 hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
