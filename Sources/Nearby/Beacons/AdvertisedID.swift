/// The id that a beacon sends on air.
public struct AdvertisedID: Sendable, Hashable {
    /// The format of an id: the meaning and the number of its bytes.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Eddystone-UID: namespace 10 bytes, instance 6.
        case eddystone
        /// iBeacon: UUID 16 bytes, major 2, minor 2, the highest byte first.
        case iBeacon
        /// AltBeacon: organization 16 bytes, unit 4.
        case altBeacon
        /// Eddystone-EID, which changes every few minutes: 8 bytes.
        case ephemeral

        /// The byte count of the id alone, without the rest of the beacon's frame.
        public var byteCount: Int {
            switch self {
            case .eddystone: 16
            case .iBeacon, .altBeacon: 20
            case .ephemeral: 8
            }
        }
    }

    /// The format of the id. Ids of two kinds are never equal, whatever their bytes.
    public let kind: Kind
    /// The parts of the id one after the other, as ``Kind`` names them; ``Kind/byteCount`` bytes.
    public let bytes: [UInt8]

    /// Creates an id, or returns `nil` if the number of bytes is not that of the kind.
    public init?(_ kind: Kind, _ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == kind.byteCount else { return nil }
        (self.kind, self.bytes) = (kind, bytes)
    }
}
