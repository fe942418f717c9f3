import Foundation

/// A message is published as long as this is held, and no longer than its message manager.
public protocol GNSPublication: NSObjectProtocol {}

/// How something is published.
public final class GNSPublicationParams: NSObject, NSCopying {
    /// How others find it; nil: as by default.
    public var strategy: GNSStrategy! = GNSStrategy()
    /// Told whenever the status changes.
    public var statusHandler: GNSOperationStatusHandler!
    /// Asks the user in place of ``GNSEnvironment/askPermission``.
    public var permissionRequestHandler: GNSPermissionRequestHandler!
    /// Before version 1.0 the message was one of the parameters.
    var message: GNSMessage?

    public override init() {}

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = GNSPublicationParams()
        copy.strategy = strategy
        copy.statusHandler = statusHandler
        copy.permissionRequestHandler = permissionRequestHandler
        copy.message = message
        return copy
    }
}

extension GNSPublication {
    /// What it is doing now.
    public var status: GNSOperationStatus { (self as? HeldOperation)?.report.status ?? .inactive }
    /// Why it is inactive, in words; nil while it is not.
    public var inactiveReason: String? { (self as? HeldOperation)?.report.reason }
}
