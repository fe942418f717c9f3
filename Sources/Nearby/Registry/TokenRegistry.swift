/// Whoever issues tokens, knows whose they are, and brings publications to the subscriptions near them: in this process, on
/// a server, or in a key that devices share. One of these belongs to one device.
///
/// An answer and what is told unasked may overtake each other on their way to the engine; what is found, changed and lost must
/// not. So all deliveries go one of the two ways.
public protocol TokenRegistry: Sendable {
    /// Takes a report as a whole. Not called again before it returns.
    func report(_ report: Report) async throws(RegistryError) -> Answer

    /// What is told unasked. For one reader; ends when the registry is let go.
    func news() -> AsyncStream<Answer>

    /// Whether it wants to be told of sealed frames that are heard (``Report/heard``). Does not change.
    var takesFrames: Bool { get }
}

extension TokenRegistry {
    public var takesFrames: Bool { false }
}

/// Why a report was not taken, or a question about beacons not answered. The engine tries again in any case.
public indirect enum RegistryError: Error, Sendable, Hashable {
    /// It does not answer; it may later.
    case unreachable(String)
    /// It has forgotten this device: the next report must be complete.
    case unknownDevice
    /// Too many reports; not again before this.
    case rateLimited(retryAfter: Duration)
    /// What it is asked is not for this project, or beyond its limits: why, in its own words.
    case refused(String)
    /// It lacks something on this machine that may come: what, in a few words.
    case notReady(String)
}

extension RegistryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let why): "the registry does not answer (\(why)): trying again"
        case .unknownDevice: "the registry has forgotten this device: registering again"
        case .rateLimited(let time): "the registry wants fewer reports: waiting \(time)"
        case .notReady(let what): "waiting: \(what)"
        case .refused(let why): "the registry refuses what it is asked: \(why)"
        }
    }
}
