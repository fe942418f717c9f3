/// The data of one advertising report: a sequence of AD structures (Core Specification 6.0, volume 3, part C,
/// section 11).
///
///     | length 1 | type 1 | body length − 1 | length 1 | type 1 | … | 0 padding
///
/// It borrows the bytes, allocates no memory, and accepts any bytes, because a sender may send anything. A
/// length of 0 is skipped. A length that reaches past the end ends the sequence; the structures before it
/// remain valid. Counterpart: ``AdvertisementComposer``.
///
/// `Tools/bench/beacons` measures the cost; `AdvertisementAllocationTests` checks that it allocates no
/// memory.
public struct Advertisement: ~Escapable {
    private let bytes: Span<UInt8>

    /// - Parameter bytes: any number of bytes of one report, without its RSSI.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// A reader of all structures, from the first.
    public var structures: AdvertisementReader {
        @_lifetime(copy self) get { AdvertisementReader(bytes) }
    }

    /// Returns the body of the first structure of a type; a type may occur several times.
    @_lifetime(copy self)
    public func first(_ type: ADType) -> Span<UInt8>? {
        var reader = structures
        while let structure = reader.next() {
            if structure.type == type { return structure.body }
        }
        return nil
    }

    /// Returns the first data of a service, after its UUID, whichever of the three sizes the UUID has.
    @_lifetime(copy self)
    public func serviceData(of uuid: BluetoothUUID) -> Span<UInt8>? {
        var reader = structures
        while let structure = reader.next() {
            if let data = structure.serviceData, data.uuid == uuid { return data.payload }
        }
        return nil
    }

    /// The flags; `nil` if there are none, or if they have no byte.
    public var flags: AdvertisementFlags? {
        guard let body = first(.flags), !body.isEmpty else { return nil }
        return AdvertisementFlags(rawValue: body[0])
    }

    /// Returns true if a structure names the service, in a list of UUIDs or with data.
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
