/// Apple's beacon, as it stands in manufacturer data, after the company.
///
///     | 0x02 0x15 | UUID 16 | major 2 | minor 2 | power at 1 m 1 |
///
/// Apple's devices send much else under that company's number: other types, of which nothing is said here.
public struct IBeaconFrame: Hashable, Sendable {
    /// Apple.
    public static let company: UInt16 = 0x004C
    static let head: UInt16 = 0x0215
    static let byteCount = 23

    /// Whose beacons they are: the same for all of an owner's, as often as not.
    public var uuid: UInt128
    /// Which group of the owner's beacons, such as a building's.
    public var major: UInt16
    /// Which beacon of the group that ``major`` names.
    public var minor: UInt16
    /// As sent; see ``referencePower``.
    public var powerAtOneMeterDBm: Int8

    /// As given: every value can be sent.
    public init(uuid: UInt128, major: UInt16, minor: UInt16, powerAtOneMeterDBm: Int8) {
        (self.uuid, self.major, self.minor) = (uuid, major, minor)
        self.powerAtOneMeterDBm = powerAtOneMeterDBm
    }

    /// Nil for what else Apple's devices send. Throws ``BeaconRejection`` where it says that it is an iBeacon, and is too short.
    /// What comes after it is another thing.
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

    /// Nil where it is not negative: no phone hears that, and cheap tags put other things there, such as the battery.
    public var referencePower: ReferencePower? {
        powerAtOneMeterDBm < 0 ? ReferencePower(atOneMeterDBm: Int(powerAtOneMeterDBm)) : nil
    }

    /// Without the company.
    public var bytes: [UInt8] {
        IBeaconFrame.head.bigEndianBytes + uuid.bigEndianBytes + major.bigEndianBytes + minor.bigEndianBytes
            + [UInt8(bitPattern: powerAtOneMeterDBm)]
    }
}
