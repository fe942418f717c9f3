import Foundation
import Nearby

/// Follows whether the user lets this device find others and be found, as long as it is held.
///
/// The decision is kept in the environment's store and holds for later processes.
public final class GNSPermission: NSObject, Sendable {
    private let permissions: PermissionAuthority
    private let handler: HandlerBox<Bool>
    private let key: UInt64

    /// - Parameter changedHandler: told what the user has decided, and again whenever that changes; silent until then.
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

    /// False until the user has decided.
    public static func isGranted() -> Bool { GNSEnvironment.current.permissions.current == .granted }

    /// Decides for the user, for this process and later ones. Who follows the permission is told when that changes it.
    public static func setGranted(_ granted: Bool) { GNSEnvironment.current.permissions.decide(granted) }
}
