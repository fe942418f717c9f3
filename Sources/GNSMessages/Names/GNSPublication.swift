import Foundation

/// A publication of a message. It lasts as long as the app holds it, and no longer than its message manager.
public protocol GNSPublication: NSObjectProtocol {}

/// The parameters of a publication.
public final class GNSPublicationParams: NSObject, NSCopying {
    /// The strategy by which others find it; `nil` means the default.
    public var strategy: GNSStrategy! = GNSStrategy()
    /// Called whenever the status changes.
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
    /// The publication's present status.
    public var status: GNSOperationStatus { (self as? HeldOperation)?.report.status ?? .inactive }
    /// The reason why it is inactive, in words; `nil` while it is not.
    public var inactiveReason: String? { (self as? HeldOperation)?.report.reason }
}
