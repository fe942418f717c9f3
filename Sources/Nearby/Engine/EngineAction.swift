/// What the engine's state wants done. The order is that in which it is to be done.
public enum EngineAction: Sendable, Hashable {
    /// What the medium does from now on, in place of what it did; said only where that changes.
    case assign(MediumAssignment, to: Medium)
    /// One at a time: the next comes after the answer to this one.
    case report(Report)
    /// To a ``BeaconRegistry``, one at a time.
    case askBeacons(BeaconQuery)
    /// An event for whoever reads this subscription.
    case deliver(SubscriptionEvent, to: OperationID)
    /// The operation does something else now; said only where that changes.
    case operation(OperationStatus, of: OperationID)
    /// The device does something else now; said only where that changes.
    case status(EngineStatus)
    /// Whether this device may find and be found: an operation needs to know.
    case askPermission(for: OperationID)
}
