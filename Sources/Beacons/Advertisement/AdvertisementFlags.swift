/// The body of ``ADType/flags``: its first byte; the other bytes are reserved.
public struct AdvertisementFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The device can be discovered now, and for a limited time only.
    public static let limitedDiscoverable = AdvertisementFlags(rawValue: 1)
    /// The device can be discovered at any time.
    public static let generalDiscoverable = AdvertisementFlags(rawValue: 2)
    /// The device has Low Energy only: no Bluetooth Classic (BR/EDR).
    public static let classicNotSupported = AdvertisementFlags(rawValue: 4)

    /// The flags of beacons: discoverable by everybody, Low Energy only.
    public static let beacon: AdvertisementFlags = [.generalDiscoverable, .classicNotSupported]
}
