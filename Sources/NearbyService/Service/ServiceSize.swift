/// The size of a project.
public struct ServiceSize: Sendable {
    /// The project, with the name that the store has.
    public var project: Project
    /// Devices known now, whether they have a stream open or not.
    public var devices: Int
    /// Streams of news that are open now, at most one of a device.
    public var streams: Int
    /// Counts of its work since this instance took it.
    public var counts: ServiceCounts
}
