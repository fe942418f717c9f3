/// The body of ``ADType/flags``: its first byte; others are reserved.
public struct AdvertisementFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Can be found now, and for a limited time only.
    public static let limitedDiscoverable = AdvertisementFlags(rawValue: 1)
    /// Can be found at any time.
    public static let generalDiscoverable = AdvertisementFlags(rawValue: 2)
    /// Low energy only: no Bluetooth Classic (BR/EDR).
    public static let classicNotSupported = AdvertisementFlags(rawValue: 4)

    /// What beacons send: found by anybody, low energy only.
    public static let beacon: AdvertisementFlags = [.generalDiscoverable, .classicNotSupported]
}
