/// A frame with a beacon's identifier, which never changes and which everybody can read.
///
///     | 0x00 | tx power at 0 m 1 | namespace 10 | instance 6 | reserved 2, or missing |
public struct EddystoneUID: Hashable, Sendable {
    static let frameType: UInt8 = 0x00

    /// The power received at 0 m, as sent: 41 dB above that at 1 m.
    public var txPowerAtZeroMetersDBm: Int8
    /// The namespace in the upper 10 bytes, and the instance in the lower 6.
    public var identifier: UInt128

    /// - Parameter identifier: the namespace in the upper 10 bytes, and the instance in the lower 6.
    public init(identifier: UInt128, txPowerAtZeroMetersDBm: Int8) {
        (self.identifier, self.txPowerAtZeroMetersDBm) = (identifier, txPowerAtZeroMetersDBm)
    }

    /// `nil` unless the two have 10 and 6 bytes.
    public init?(namespace: [UInt8], instance: [UInt8], txPowerAtZeroMetersDBm: Int8) {
        guard namespace.count == 10, instance.count == 6 else { return nil }
        self.init(
            identifier: (namespace + instance).span.bigEndian(0, as: UInt128.self),
            txPowerAtZeroMetersDBm: txPowerAtZeroMetersDBm)
    }

    /// The 10 bytes that are the same for all of an owner's beacons.
    public var namespace: [UInt8] { Array(identifier.bigEndianBytes.prefix(10)) }
    /// The 6 bytes that identify the beacon within the namespace.
    public var instance: [UInt8] { Array(identifier.bigEndianBytes.suffix(6)) }

    /// Parses a frame. The reserved bytes may have any value and are dropped.
    init(_ bytes: Span<UInt8>) throws(BeaconRejection) {
        guard bytes.count == 18 || bytes.count == 20 else {
            throw .byteCount(.uid, expected: [18, 20], received: bytes.count)
        }
        txPowerAtZeroMetersDBm = Int8(bitPattern: bytes[1])
        identifier = bytes.bigEndian(2, as: UInt128.self)
    }

    /// The frame's bytes, 20 of them.
    public var bytes: [UInt8] {
        [EddystoneUID.frameType, UInt8(bitPattern: txPowerAtZeroMetersDBm)] + identifier.bigEndianBytes + [
            0, 0,
        ]
    }
}
