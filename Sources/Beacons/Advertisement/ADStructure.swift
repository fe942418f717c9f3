/// One structure of an ``Advertisement``: a type and its body, borrowed.
///
/// If a body is too short for its type, the type's properties are `nil`; the body can still be read as bytes.
public struct ADStructure: ~Escapable {
    /// The type as it was sent. A type that ``ADType`` does not name is returned like the others.
    public let type: ADType
    /// The body, without length and type; 0 to 254 bytes.
    private let bytes: Span<UInt8>

    @_lifetime(copy body)
    init(type: ADType, body: Span<UInt8>) { (self.type, bytes) = (type, body) }

    /// The body, without length and type; 0 to 254 bytes.
    public var body: Span<UInt8> {
        @_lifetime(copy self) get { bytes }
    }

    /// The data of ``ADType/serviceData16``, `32` or `128`; `nil` for other types, and if the UUID is cut
    /// off.
    public var serviceData: ServiceData? {
        @_lifetime(copy self) get {
            guard let count = type.serviceDataUUIDByteCount, bytes.count >= count else { return nil }
            return ServiceData(
                uuid: BluetoothUUID(of: bytes, at: 0, byteCount: count),
                payload: bytes.extracting(count..<bytes.count))
        }
    }

    /// The data of ``ADType/manufacturerData``; `nil` for other types, and if the company is cut off.
    public var manufacturerData: ManufacturerData? {
        @_lifetime(copy self) get {
            guard type == .manufacturerData, bytes.count >= 2 else { return nil }
            return ManufacturerData(
                company: UInt16(bytes[0]) | UInt16(bytes[1]) << 8,
                payload: bytes.extracting(2..<bytes.count))
        }
    }

    /// The power of ``ADType/txPowerLevel`` in dBm at the antenna; `nil` for other types, and for any body
    /// but one byte.
    public var txPowerDBm: Int8? {
        guard type == .txPowerLevel, bytes.count == 1 else { return nil }
        return Int8(bitPattern: bytes[0])
    }

    /// The number of UUIDs in a list of them; 0 for other types. Left-over bytes do not count.
    public var serviceUUIDCount: Int {
        guard let count = type.listedUUIDByteCount else { return 0 }
        return bytes.count / count
    }

    /// Returns a UUID of the list. Precondition: `index` is in 0..<``serviceUUIDCount``.
    public func serviceUUID(at index: Int) -> BluetoothUUID {
        guard let count = type.listedUUIDByteCount, (0..<serviceUUIDCount).contains(index) else {
            preconditionFailure("no UUID \(index): there are \(serviceUUIDCount)")
        }
        return BluetoothUUID(of: bytes, at: index * count, byteCount: count)
    }
}

/// The data that a service sends in an advertisement, borrowed.
public struct ServiceData: ~Escapable {
    /// The service, whatever the number of bytes in which the advertisement states it.
    public let uuid: BluetoothUUID
    private let bytes: Span<UInt8>

    @_lifetime(copy payload)
    init(uuid: BluetoothUUID, payload: Span<UInt8>) { (self.uuid, bytes) = (uuid, payload) }

    /// The bytes after the UUID.
    public var payload: Span<UInt8> {
        @_lifetime(copy self) get { bytes }
    }
}

/// The data that a company's devices send in an advertisement, borrowed.
public struct ManufacturerData: ~Escapable {
    /// The company's number: Bluetooth Assigned Numbers, section 7.1.
    public let company: UInt16
    private let bytes: Span<UInt8>

    @_lifetime(copy payload)
    init(company: UInt16, payload: Span<UInt8>) { (self.company, bytes) = (company, payload) }

    /// The bytes after the company.
    public var payload: Span<UInt8> {
        @_lifetime(copy self) get { bytes }
    }
}
