import Foundation

/// A publication or subscription for the background that was live when its process was killed. Handlers are code and cannot be
/// kept: whoever restores it gives them anew.
public struct GNSSavedOperation: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        case publication, subscription
    }

    public let kind: Kind
    /// Of a publication: its message's. Of a subscription: what it looks for.
    public private(set) var type = ""
    public private(set) var messageNamespace = ""
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

    public var strategy: GNSStrategy {
        GNSStrategy(paramsBlock: { params in
            params?.discoveryMode = GNSDiscoveryMode(rawValue: discoveryMode)
            params?.discoveryMediums = GNSDiscoveryMediums(rawValue: discoveryMediums)
            params?.allowInBackground = allowInBackground
        })
    }

    public var deviceTypesToDiscover: GNSDeviceTypes { GNSDeviceTypes(rawValue: deviceTypes) }

    public var beaconStrategy: GNSBeaconStrategy {
        GNSBeaconStrategy(paramsBlock: { params in
            params?.includeIBeacons = includeIBeacons
            params?.allowInBackground = beaconsInBackground
            params?.lowPowerPreferred = lowPowerPreferred
        })
    }
}
