import Nearby

/// What the device does on the media.
public struct GNSDiscoveryMode: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let broadcast = GNSDiscoveryMode(rawValue: 1)
    public static let scan = GNSDiscoveryMode(rawValue: 2)
    public static let `default`: GNSDiscoveryMode = [.broadcast, .scan]

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Broadcast = broadcast
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Scan = scan
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Default = `default`

    var mode: Strategy.Mode { Strategy.Mode(rawValue: UInt8(rawValue & 3)) }
}
