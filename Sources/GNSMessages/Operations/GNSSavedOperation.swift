import Foundation

/// A background publication or subscription that was live when its process was killed. Handlers are code and
/// cannot be saved: whoever restores the operation gives new ones.
public struct GNSSavedOperation: Codable, Hashable, Sendable {
    /// The kind of an operation, which is also the kind that it can be restored as.
    public enum Kind: String, Codable, Sendable {
        /// A message that was published, or messages that were looked for.
        case publication, subscription
    }

    /// The kind: ``content`` was published, or messages were looked for.
    public let kind: Kind
    /// The type of a publication's message, or the type that a subscription looks for.
    public private(set) var type = ""
    /// The namespace of a publication's message, or the one that a subscription looks for. It is empty for
    /// the project's own.
    public private(set) var messageNamespace = ""
    /// The content that was published; `nil` if the operation is a subscription.
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

    /// The strategy by which devices were to be found.
    public var strategy: GNSStrategy {
        GNSStrategy(paramsBlock: { params in
            params?.discoveryMode = GNSDiscoveryMode(rawValue: discoveryMode)
            params?.discoveryMediums = GNSDiscoveryMediums(rawValue: discoveryMediums)
            params?.allowInBackground = allowInBackground
        })
    }

    /// The kinds of devices that a subscription looked for. It has no meaning for a publication.
    public var deviceTypesToDiscover: GNSDeviceTypes { GNSDeviceTypes(rawValue: deviceTypes) }

    /// The strategy by which a subscription looked for beacons. It has no meaning for a publication.
    public var beaconStrategy: GNSBeaconStrategy {
        GNSBeaconStrategy(paramsBlock: { params in
            params?.includeIBeacons = includeIBeacons
            params?.allowInBackground = beaconsInBackground
            params?.lowPowerPreferred = lowPowerPreferred
        })
    }
}
