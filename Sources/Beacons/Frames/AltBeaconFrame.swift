/// Radius Networks' open beacon, in the manufacturer data of any company.
///
///     | 0xBE 0xAC | identifier 20 | power at 1 m 1 | the company's own 1 |
///
/// Reference: github.com/AltBeacon/spec.
public struct AltBeaconFrame: Hashable, Sendable {
    static let head: UInt16 = 0xBEAC
    static let byteCount = 24

    /// The company of the manufacturer data: Bluetooth Assigned Numbers, section 7.1. Not part of ``bytes``.
    public var company: UInt16
    /// The first 16 bytes, which identify the beacons' owner.
    public var organization: UInt128
    /// The last 4 bytes, which identify the beacon; they are often two numbers of 16 bits.
    public var unit: UInt32
    /// The power that a phone receives at 1 m, as sent.
    public var powerAtOneMeterDBm: Int8
    /// A byte that the company may use as it likes.
    public var companyByte: UInt8

    /// Creates a frame; every value can be sent.
    public init(
        company: UInt16, organization: UInt128, unit: UInt32, powerAtOneMeterDBm: Int8, companyByte: UInt8 = 0
    ) {
        (self.company, self.organization, self.unit) = (company, organization, unit)
        (self.powerAtOneMeterDBm, self.companyByte) = (powerAtOneMeterDBm, companyByte)
    }

    /// `nil` if the data is no AltBeacon. Throws ``BeaconRejection`` if it is marked as one but is longer or
    /// shorter.
    public init?(_ data: borrowing ManufacturerData) throws(BeaconRejection) {
        let bytes = data.payload
        guard bytes.count >= 2, bytes.bigEndian(0, as: UInt16.self) == AltBeaconFrame.head else {
            return nil
        }
        guard bytes.count == AltBeaconFrame.byteCount else {
            throw .byteCount(.altBeacon, expected: [AltBeaconFrame.byteCount], received: bytes.count)
        }
        company = data.company
        organization = bytes.bigEndian(2, as: UInt128.self)
        unit = bytes.bigEndian(18, as: UInt32.self)
        powerAtOneMeterDBm = Int8(bitPattern: bytes[22])
        companyByte = bytes[23]
    }

    /// The frame's bytes, without the company.
    public var bytes: [UInt8] {
        AltBeaconFrame.head.bigEndianBytes + organization.bigEndianBytes + unit.bigEndianBytes
            + [UInt8(bitPattern: powerAtOneMeterDBm), companyByte]
    }
}
