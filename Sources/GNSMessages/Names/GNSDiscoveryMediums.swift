import Nearby

/// By what devices find one another.
public struct GNSDiscoveryMediums: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Sound near the end of hearing.
    public static let audio = GNSDiscoveryMediums(rawValue: 1)
    /// Bluetooth low energy.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let BLE = GNSDiscoveryMediums(rawValue: 2)
    public static let ble = BLE
    public static let `default`: GNSDiscoveryMediums = [.audio, .BLE]

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Audio = audio
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Default = `default`

    var media: Set<Medium> {
        Set([(GNSDiscoveryMediums.audio, Medium.audio), (.BLE, .ble)].filter { contains($0.0) }.map(\.1))
    }
}
