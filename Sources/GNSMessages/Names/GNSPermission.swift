import Foundation
import Nearby

/// An observer of the user's permission for this device to find others and be found, as long as the app holds
/// it.
///
/// The decision is kept in the environment's store and holds for later processes.
public final class GNSPermission: NSObject, Sendable {
    private let permissions: PermissionAuthority
    private let handler: HandlerBox<Bool>
    private let key: UInt64

    /// - Parameter changedHandler: receives the user's decision, and each later one that differs. It is not
    ///   called while the user is undecided.
    public init(changedHandler: GNSPermissionHandler?) {
        let environment = GNSEnvironment.current
        let handler = HandlerBox(changedHandler, on: environment.executor)
        (permissions, self.handler) = (environment.permissions, handler)
        key = permissions.observe { permission in
            if permission != .undecided { handler.call(permission == .granted) }
        }
    }

    deinit {
        handler.close()
        permissions.ignore(key)
    }

    /// Returns true if the user has granted permission; it is false until the user has decided.
    public static func isGranted() -> Bool { GNSEnvironment.current.permissions.current == .granted }

    /// Decides for the user, for this process and later ones. If that changes the permission, its observers
    /// are notified.
    public static func setGranted(_ granted: Bool) { GNSEnvironment.current.permissions.decide(granted) }
}
