/// What a beacon calls itself on air.
public struct AdvertisedID: Sendable, Hashable {
    /// The format of an id: what its bytes mean, and how many there are.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Eddystone-UID: namespace 10, instance 6.
        case eddystone
        /// UUID 16, major 2, minor 2, the highest byte first.
        case iBeacon
        /// Organization 16, unit 4.
        case altBeacon
        /// Eddystone-EID: another one every few minutes, 8.
        case ephemeral

        /// Of the id alone, without what stands around it in the beacon's frame.
        public var byteCount: Int {
            switch self {
            case .eddystone: 16
            case .iBeacon, .altBeacon: 20
            case .ephemeral: 8
            }
        }
    }

    /// Ids of two kinds are never the same, whatever their bytes.
    public let kind: Kind
    /// Its parts one after the other, as ``Kind`` names them; ``Kind/byteCount`` of them.
    public let bytes: [UInt8]

    /// Nil unless there are as many bytes as that kind has.
    public init?(_ kind: Kind, _ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == kind.byteCount else { return nil }
        (self.kind, self.bytes) = (kind, bytes)
    }
}
