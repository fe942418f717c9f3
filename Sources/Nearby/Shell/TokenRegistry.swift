/// A registry that issues tokens, knows their devices, and delivers publications to the subscriptions near
/// them. It runs in this process or on a server, or consists of a key that devices share. An instance belongs
/// to one device.
///
/// An answer and an unsolicited notification may overtake each other on their way to the engine; events of
/// what is found, changed and lost must not. A registry therefore sends all deliveries by one of the two
/// ways.
public protocol TokenRegistry: Sendable {
    /// Takes a report as a whole. The engine does not call it again before it returns.
    func report(_ report: Report) async throws(RegistryError) -> Answer

    /// Returns the stream of unsolicited notifications. The stream has one reader, and ends when the registry
    /// is released.
    func events() -> AsyncStream<Answer>

    /// True if the registry takes sealed frames that are heard (``Report/heard``). The value does not change.
    var takesFrames: Bool { get }
}

extension TokenRegistry {
    public var takesFrames: Bool { false }
}
