import Nearby

/// The directions in which a device uses its media.
public struct GNSDiscoveryMode: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Sends tokens, so that others find this device.
    public static let broadcast = GNSDiscoveryMode(rawValue: 1)
    /// Listens for others' tokens.
    public static let scan = GNSDiscoveryMode(rawValue: 2)
    /// Sends and listens, which is the default of a strategy.
    public static let `default`: GNSDiscoveryMode = [.broadcast, .scan]

    /// ``broadcast`` in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Broadcast = broadcast
    /// ``scan`` in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Scan = scan
    /// Sends and listens; the name in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Default = `default`

    var mode: Strategy.Mode { Strategy.Mode(rawValue: UInt8(rawValue & 3)) }
}
