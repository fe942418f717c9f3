import Nearby

/// The media by which devices find one another.
public struct GNSDiscoveryMediums: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Sound near the end of hearing.
    public static let audio = GNSDiscoveryMediums(rawValue: 1)
    /// Bluetooth low energy.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let BLE = GNSDiscoveryMediums(rawValue: 2)
    /// ``BLE``, in today's spelling.
    public static let ble = BLE
    /// Both media, which are the default of a strategy.
    public static let `default`: GNSDiscoveryMediums = [.audio, .BLE]

    /// ``audio`` in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Audio = audio
    /// Both media, in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Default = `default`

    var media: Set<Medium> {
        Set([(GNSDiscoveryMediums.audio, Medium.audio), (.BLE, .ble)].filter { contains($0.0) }.map(\.1))
    }
}
