/// The data of one advertising report: AD structures, one after the other (Core Specification 6.0, volume 3, part C, section 11).
///
///     | length 1 | type 1 | body length − 1 | length 1 | type 1 | … | 0 padding
///
/// It borrows the bytes, asks for no memory, and takes any bytes: whoever advertises may send what they like. A length of 0 is
/// skipped; one that reaches past the end ends it: what came before stands. Opposite: ``AdvertisementComposer``.
///
/// Cost: `Tools/bench/beacons`; that it asks for no memory: `AdvertisementAllocationTests`.
public struct Advertisement: ~Escapable {
    private let bytes: Span<UInt8>

    /// - Parameter bytes: of one report, without its RSSI; any number of them.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// All structures, from the first.
    public var structures: AdvertisementReader {
        @_lifetime(copy self) get { AdvertisementReader(bytes) }
    }

    /// Body of the first structure of a type; types may come several times.
    @_lifetime(copy self)
    public func first(_ type: ADType) -> Span<UInt8>? {
        var reader = structures
        while let structure = reader.next() {
            if structure.type == type { return structure.body }
        }
        return nil
    }

    /// What the first service data of a service carry, after its UUID, whichever of the three sizes that has.
    @_lifetime(copy self)
    public func serviceData(of uuid: BluetoothUUID) -> Span<UInt8>? {
        var reader = structures
        while let structure = reader.next() {
            if let data = structure.serviceData, data.uuid == uuid { return data.payload }
        }
        return nil
    }

    /// Flags; nil where there are none, or where they have no byte.
    public var flags: AdvertisementFlags? {
        guard let body = first(.flags), !body.isEmpty else { return nil }
        return AdvertisementFlags(rawValue: body[0])
    }

    /// Whether a structure names the service, in a list of UUIDs or with data.
    public func names(_ uuid: BluetoothUUID) -> Bool {
        var reader = structures
        while let structure = reader.next() {
            if let data = structure.serviceData, data.uuid == uuid { return true }
            for index in 0..<structure.serviceUUIDCount where structure.serviceUUID(at: index) == uuid {
                return true
            }
        }
        return false
    }
}
