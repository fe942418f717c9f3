/// One structure of an ``Advertisement``: a type and its body, borrowed.
///
/// A body too short for what its type says gives nil for that, and can still be read as bytes.
public struct ADStructure: ~Escapable {
    /// As sent; one that ``ADType`` has no name for is handed out like the others.
    public let type: ADType
    /// Without length and type; 0 to 254 bytes.
    private let bytes: Span<UInt8>

    @_lifetime(copy body)
    init(type: ADType, body: Span<UInt8>) { (self.type, bytes) = (type, body) }

    /// Without length and type; 0 to 254 bytes.
    public var body: Span<UInt8> {
        @_lifetime(copy self) get { bytes }
    }

    /// Of ``ADType/serviceData16``, `32`, `128`; nil for other types, and where the UUID is cut off.
    public var serviceData: ServiceData? {
        @_lifetime(copy self) get {
            guard let count = type.serviceDataUUIDByteCount, bytes.count >= count else { return nil }
            return ServiceData(
                uuid: BluetoothUUID(of: bytes, at: 0, byteCount: count),
                payload: bytes.extracting(count..<bytes.count))
        }
    }

    /// Of ``ADType/manufacturerData``; nil for other types, and where the company is cut off.
    public var manufacturerData: ManufacturerData? {
        @_lifetime(copy self) get {
            guard type == .manufacturerData, bytes.count >= 2 else { return nil }
            return ManufacturerData(
                company: UInt16(bytes[0]) | UInt16(bytes[1]) << 8,
                payload: bytes.extracting(2..<bytes.count))
        }
    }

    /// Of ``ADType/txPowerLevel``, dBm at the antenna; nil for other types, and for any body but one byte.
    public var txPowerDBm: Int8? {
        guard type == .txPowerLevel, bytes.count == 1 else { return nil }
        return Int8(bitPattern: bytes[0])
    }

    /// UUIDs in a list of them; bytes that are left over are none. 0 for other types.
    public var serviceUUIDCount: Int {
        guard let count = type.listedUUIDByteCount else { return 0 }
        return bytes.count / count
    }

    /// Precondition: `index` is in 0..<``serviceUUIDCount``.
    public func serviceUUID(at index: Int) -> BluetoothUUID {
        guard let count = type.listedUUIDByteCount, (0..<serviceUUIDCount).contains(index) else {
            preconditionFailure("no UUID \(index): there are \(serviceUUIDCount)")
        }
        return BluetoothUUID(of: bytes, at: index * count, byteCount: count)
    }
}

/// What a service sends with an advertisement, borrowed.
public struct ServiceData: ~Escapable {
    /// The service, however many bytes the advertisement spends on it.
    public let uuid: BluetoothUUID
    private let bytes: Span<UInt8>

    @_lifetime(copy payload)
    init(uuid: BluetoothUUID, payload: Span<UInt8>) { (self.uuid, bytes) = (uuid, payload) }

    /// After the UUID.
    public var payload: Span<UInt8> {
        @_lifetime(copy self) get { bytes }
    }
}

/// What a company's devices send with an advertisement, borrowed.
public struct ManufacturerData: ~Escapable {
    /// Bluetooth Assigned Numbers, section 7.1.
    public let company: UInt16
    private let bytes: Span<UInt8>

    @_lifetime(copy payload)
    init(company: UInt16, payload: Span<UInt8>) { (self.company, bytes) = (company, payload) }

    /// After the company.
    public var payload: Span<UInt8> {
        @_lifetime(copy self) get { bytes }
    }
}
