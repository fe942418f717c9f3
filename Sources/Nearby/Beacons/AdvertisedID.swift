/// What a beacon calls itself on air.
public struct AdvertisedID: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Eddystone-UID: namespace 10, instance 6.
        case eddystone
        /// UUID 16, major 2, minor 2, the highest byte first.
        case iBeacon
        /// Organization 16, unit 4.
        case altBeacon
        /// Eddystone-EID: another one every few minutes, 8.
        case ephemeral

        public var byteCount: Int {
            switch self {
            case .eddystone: 16
            case .iBeacon, .altBeacon: 20
            case .ephemeral: 8
            }
        }
    }

    public let kind: Kind
    public let bytes: [UInt8]

    /// Nil unless there are as many bytes as that kind has.
    public init?(_ kind: Kind, _ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == kind.byteCount else { return nil }
        (self.kind, self.bytes) = (kind, bytes)
    }
}
