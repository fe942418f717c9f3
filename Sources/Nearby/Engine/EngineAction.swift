/// What the engine's state wants done. The order is that in which it is to be done.
public enum EngineAction: Sendable, Hashable {
    case assign(MediumAssignment, to: Medium)
    /// One at a time: the next comes after the answer to this one.
    case report(Report)
    /// To a ``BeaconRegistry``, one at a time.
    case askBeacons(BeaconQuestion)
    case deliver(SubscriptionEvent, to: OperationID)
    case operation(OperationStatus, of: OperationID)
    case status(EngineStatus)
    /// Whether this device may find and be found: an operation needs to know.
    case askPermission(for: OperationID)
}
