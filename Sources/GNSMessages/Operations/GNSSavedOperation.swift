import Foundation

/// A publication or subscription for the background that was live when its process was killed. Handlers are code and cannot be
/// kept: whoever restores it gives them anew.
public struct GNSSavedOperation: Codable, Hashable, Sendable {
    /// What it was, and can be restored as.
    public enum Kind: String, Codable, Sendable {
        /// A message that was published, or messages that were looked for.
        case publication, subscription
    }

    /// Whether ``content`` was published, or messages were looked for.
    public let kind: Kind
    /// Of a publication: its message's. Of a subscription: what it looks for.
    public private(set) var type = ""
    /// Of a publication: its message's. Of a subscription: what it looks for. Empty: the project's own.
    public private(set) var messageNamespace = ""
    /// What was published; nil of a subscription.
    public private(set) var content: Data?

    private var discoveryMode: UInt
    private var discoveryMediums: UInt
    private var allowInBackground: Bool
    private var deviceTypes: UInt = GNSDeviceTypes.usingNearby.rawValue
    private var includeIBeacons = true
    private var beaconsInBackground = false
    private var lowPowerPreferred = true

    private init(_ kind: Kind, _ strategy: GNSStrategy) {
        self.kind = kind
        (discoveryMode, discoveryMediums) = (
            strategy.discoveryMode.rawValue, strategy.discoveryMediums.rawValue
        )
        allowInBackground = strategy.allowInBackground
    }

    static func publication(_ message: GNSMessage, _ strategy: GNSStrategy) -> GNSSavedOperation {
        var saved = GNSSavedOperation(.publication, strategy)
        (saved.type, saved.messageNamespace) = (message.type ?? "", message.messageNamespace ?? "")
        saved.content = message.content
        return saved
    }

    static func subscription(_ wanted: Wanted) -> GNSSavedOperation {
        var saved = GNSSavedOperation(.subscription, wanted.strategy)
        (saved.type, saved.messageNamespace) = (wanted.type, wanted.messageNamespace)
        saved.deviceTypes = wanted.deviceTypes.rawValue
        saved.includeIBeacons = wanted.beaconStrategy.includeIBeacons
        saved.beaconsInBackground = wanted.beaconStrategy.allowInBackground
        saved.lowPowerPreferred = wanted.beaconStrategy.lowPowerPreferred
        return saved
    }

    /// How devices were to be found.
    public var strategy: GNSStrategy {
        GNSStrategy(paramsBlock: { params in
            params?.discoveryMode = GNSDiscoveryMode(rawValue: discoveryMode)
            params?.discoveryMediums = GNSDiscoveryMediums(rawValue: discoveryMediums)
            params?.allowInBackground = allowInBackground
        })
    }

    /// Whom a subscription looked for; of a publication it says nothing.
    public var deviceTypesToDiscover: GNSDeviceTypes { GNSDeviceTypes(rawValue: deviceTypes) }

    /// How a subscription looked for beacons; of a publication it says nothing.
    public var beaconStrategy: GNSBeaconStrategy {
        GNSBeaconStrategy(paramsBlock: { params in
            params?.includeIBeacons = includeIBeacons
            params?.allowInBackground = beaconsInBackground
            params?.lowPowerPreferred = lowPowerPreferred
        })
    }
}
