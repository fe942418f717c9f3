import Foundation

/// A subscription to messages. It lasts as long as the app holds it, and no longer than its message manager.
public protocol GNSSubscription: NSObjectProtocol {}

/// The parameters of a subscription.
public final class GNSSubscriptionParams: NSObject, NSCopying {
    /// The kinds of devices to look for. With none, the subscription stays inactive.
    public var deviceTypesToDiscover: GNSDeviceTypes = .usingNearby
    /// The namespace of the messages; it is empty for the project's own.
    public var messageNamespace: String! = ""
    /// The type of the messages; an empty one means all types.
    public var type: String! = ""
    /// The strategy for finding devices; `nil` means the default.
    public var strategy: GNSStrategy! = GNSStrategy()
    /// The strategy for finding beacons, if ``deviceTypesToDiscover`` contains them; `nil` means the default.
    public var beaconStrategy: GNSBeaconStrategy! = GNSBeaconStrategy()
    /// Called whenever the status changes.
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
    /// The subscription's present status.
    public var status: GNSOperationStatus { (self as? HeldOperation)?.report.status ?? .inactive }
    /// The reason why it is inactive, in words; `nil` while it is not.
    public var inactiveReason: String? { (self as? HeldOperation)?.report.reason }
}
