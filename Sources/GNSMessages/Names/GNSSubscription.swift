import Foundation

/// Messages are looked for as long as this is held, and no longer than its message manager.
public protocol GNSSubscription: NSObjectProtocol {}

/// What is subscribed to, and how.
public final class GNSSubscriptionParams: NSObject, NSCopying {
    /// Whom to look for. With nobody, the subscription stays inactive.
    public var deviceTypesToDiscover: GNSDeviceTypes = .usingNearby
    /// Empty: the project's own.
    public var messageNamespace: String! = ""
    /// Empty: all types.
    public var type: String! = ""
    /// How devices are found; nil: as by default.
    public var strategy: GNSStrategy! = GNSStrategy()
    /// How beacons are looked for, if ``deviceTypesToDiscover`` has them; nil: as by default.
    public var beaconStrategy: GNSBeaconStrategy! = GNSBeaconStrategy()
    /// Told whenever the status changes.
    public var statusHandler: GNSOperationStatusHandler!
    /// Asks the user in place of ``GNSEnvironment/askPermission``.
    public var permissionRequestHandler: GNSPermissionRequestHandler!

    public override init() {}

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = GNSSubscriptionParams()
        copy.deviceTypesToDiscover = deviceTypesToDiscover
        (copy.messageNamespace, copy.type) = (messageNamespace, type)
        (copy.strategy, copy.beaconStrategy) = (strategy, beaconStrategy)
        copy.statusHandler = statusHandler
        copy.permissionRequestHandler = permissionRequestHandler
        return copy
    }
}

extension GNSSubscription {
    /// What it is doing now.
    public var status: GNSOperationStatus { (self as? HeldOperation)?.report.status ?? .inactive }
    /// Why it is inactive, in words; nil while it is not.
    public var inactiveReason: String? { (self as? HeldOperation)?.report.reason }
}
