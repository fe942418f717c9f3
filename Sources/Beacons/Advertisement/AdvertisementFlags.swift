/// The body of ``ADType/flags``: its first byte; others are reserved.
public struct AdvertisementFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let limitedDiscoverable = AdvertisementFlags(rawValue: 1)
    public static let generalDiscoverable = AdvertisementFlags(rawValue: 2)
    public static let classicNotSupported = AdvertisementFlags(rawValue: 4)

    /// What beacons send: found by anybody, low energy only.
    public static let beacon: AdvertisementFlags = [.generalDiscoverable, .classicNotSupported]
}
