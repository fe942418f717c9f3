/// Whoever issues tokens, knows whose they are, and brings publications to the subscriptions near them: in this process, on
/// a server, or in a key that devices share. One of these belongs to one device.
///
/// An answer and what is told unasked may overtake each other on their way to the engine; what is found, changed and lost must
/// not. So all deliveries go one of the two ways.
public protocol TokenRegistry: Sendable {
    /// Takes a report as a whole. Not called again before it returns.
    func report(_ report: Report) async throws(RegistryError) -> Answer

    /// The registry tells its news here, unasked. The stream has one reader, and ends when the registry is let go.
    func news() -> AsyncStream<Answer>

    /// Whether it wants to be told of sealed frames that are heard (``Report/heard``). Does not change.
    var takesFrames: Bool { get }
}

extension TokenRegistry {
    public var takesFrames: Bool { false }
}
