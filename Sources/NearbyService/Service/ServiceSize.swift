/// The size of a project.
package struct ServiceSize: Sendable {
    /// The project, with the name that the store has.
    package var project: Project
    /// Devices known now, whether they have a stream open or not.
    package var devices: Int
    /// The number of devices that the project may have now.
    package var deviceQuota: Int
    /// Streams of events that are open now, at most one of a device.
    package var streams: Int
    /// Counts of its work since this instance took it.
    package var counts: ServiceCounts
    /// The time for which events wait to go down a stream that is open; zero if none do.
    package var unsentFor: Duration
    /// The time until the lease expires unless it is renewed; `nil` if it never expires.
    package var leaseRemaining: Duration?
    /// True if this instance may not answer for the project now.
    package var isLeaseLate: Bool
    /// True if the store has refused the last changes.
    package var isStoreFailing: Bool
}
