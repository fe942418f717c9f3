/// The size of a project.
public struct ServiceSize: Sendable {
    /// The project, with the name that the store has.
    public var project: Project
    /// Devices known now, whether they have a stream open or not.
    public var devices: Int
    /// The number of devices that the project may have now.
    public var deviceQuota: Int
    /// Streams of news that are open now, at most one of a device.
    public var streams: Int
    /// Counts of its work since this instance took it.
    public var counts: ServiceCounts
    /// The time for which news wait to go down a stream that is open; zero if none do.
    public var untoldFor: Duration
    /// The time until the lease expires unless it is renewed; `nil` if it never expires.
    public var leaseRemaining: Duration?
    /// True if this instance may not answer for the project now.
    public var isLeaseLate: Bool
    /// True if the store has refused the last changes.
    public var isStoreFailing: Bool
}
