/// An action that the engine's state requests. The owner carries out actions in their order.
public enum EngineAction: Sendable, Hashable {
    /// Assign the medium what it does from now on, in place of the former assignment. It is requested only
    /// when the assignment changes.
    case assign(MediumAssignment, to: Medium)
    /// Send a report. Only one is in flight: the next follows the answer to this one.
    case report(Report)
    /// Send a query to a ``BeaconRegistry``. Only one is in flight.
    case askBeacons(BeaconQuery)
    /// Deliver an event to the reader of this subscription.
    case deliver(SubscriptionEvent, to: OperationID)
    /// Publish the operation's status. It is requested only when the status changes.
    case operation(OperationStatus, of: OperationID)
    /// Publish the device's status. It is requested only when the status changes.
    case status(EngineStatus)
    /// Ask the user whether this device may find others and be found, because an operation needs the
    /// permission.
    case askPermission(for: OperationID)
}
