/// The kinds of devices that a subscription looks for.
public struct GNSDeviceTypes: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Devices that publish.
    public static let usingNearby = GNSDeviceTypes(rawValue: 1)
    /// Bluetooth beacons that somebody has registered.
    public static let bleBeacon = GNSDeviceTypes(rawValue: 2)

    /// ``usingNearby`` in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let UsingNearby = usingNearby
    /// ``bleBeacon`` in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let BLEBeacon = bleBeacon
}
