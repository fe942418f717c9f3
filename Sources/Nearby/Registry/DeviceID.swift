extension RegistryState {
    /// The identity of a device in this registry, from ``RegistryState/join(now:)`` on. The registry never
    /// assigns the same one twice. A device that joined later has a higher one.
    public struct DeviceID: Sendable, Hashable, Comparable {
        @usableFromInline static let placeBitCount: UInt64 = 28

        /// The number of the device among all that ever joined, and below it its place in tables: 62 bits
        /// are enough for 10¹⁰ of them.
        ///
        ///     61           28 27        0
        ///     │ joined as    │ place    │
        @usableFromInline let bits: UInt64

        fileprivate init(number: UInt64, place: Int) {
            bits = number << DeviceID.placeBitCount | UInt64(place)
        }

        /// The place of the device in a ``DeviceTable``. Another device has it after this one has left.
        @inlinable var place: Int { Int(bits & (1 << DeviceID.placeBitCount - 1)) }

        public static func < (a: DeviceID, b: DeviceID) -> Bool { a.bits < b.bits }
    }

    /// The identities of a registry: those that it gives out, and the places that devices have left.
    struct DeviceIDs: Sendable {
        private var last: UInt64 = 0
        private var placeCount = 0
        private var freePlaces: [Int32] = []

        /// Returns an identity that no device has had.
        mutating func draw() -> DeviceID {
            last += 1
            if let place = freePlaces.popLast() { return DeviceID(number: last, place: Int(place)) }
            placeCount += 1
            return DeviceID(number: last, place: placeCount - 1)
        }

        /// Notes that the device has left.
        mutating func free(_ id: DeviceID) { freePlaces.append(Int32(id.place)) }
    }
}
