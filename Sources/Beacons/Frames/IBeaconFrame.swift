/// Apple's beacon, in manufacturer data, after the company.
///
///     | 0x02 0x15 | UUID 16 | major 2 | minor 2 | power at 1 m 1 |
///
/// Apple's devices send many other types under that company's number, which this type ignores.
public struct IBeaconFrame: Hashable, Sendable {
    /// Apple's number.
    public static let company: UInt16 = 0x004C
    static let head: UInt16 = 0x0215
    static let byteCount = 23

    /// The UUID of the beacons' owner, often the same for all of an owner's beacons.
    public var uuid: UInt128
    /// The group of the owner's beacons, such as those of a building.
    public var major: UInt16
    /// The beacon within the group of ``major``.
    public var minor: UInt16
    /// The power at 1 m as sent; see ``referencePower``.
    public var powerAtOneMeterDBm: Int8

    /// Creates a frame; every value can be sent.
    public init(uuid: UInt128, major: UInt16, minor: UInt16, powerAtOneMeterDBm: Int8) {
        (self.uuid, self.major, self.minor) = (uuid, major, minor)
        self.powerAtOneMeterDBm = powerAtOneMeterDBm
    }

    /// `nil` for the other data that Apple's devices send. Throws ``BeaconRejection`` if the data is marked
    /// as an iBeacon but is too short. Bytes after the frame are ignored.
    public init?(_ data: borrowing ManufacturerData) throws(BeaconRejection) {
        let bytes = data.payload
        guard data.company == IBeaconFrame.company, bytes.count >= 2,
            bytes.bigEndian(0, as: UInt16.self) == IBeaconFrame.head
        else { return nil }
        guard bytes.count >= IBeaconFrame.byteCount else {
            throw .byteCount(.iBeacon, expected: [IBeaconFrame.byteCount], received: bytes.count)
        }
        uuid = bytes.bigEndian(2, as: UInt128.self)
        major = bytes.bigEndian(18, as: UInt16.self)
        minor = bytes.bigEndian(20, as: UInt16.self)
        powerAtOneMeterDBm = Int8(bitPattern: bytes[22])
    }

    /// The beacon's power; `nil` unless the sent value is negative: no phone receives so much, and cheap tags
    /// put other things there, such as the battery.
    public var referencePower: ReferencePower? {
        powerAtOneMeterDBm < 0 ? ReferencePower(atOneMeterDBm: Int(powerAtOneMeterDBm)) : nil
    }

    /// The frame's bytes, without the company.
    public var bytes: [UInt8] {
        IBeaconFrame.head.bigEndianBytes + uuid.bigEndianBytes + major.bigEndianBytes + minor.bigEndianBytes
            + [UInt8(bitPattern: powerAtOneMeterDBm)]
    }
}
