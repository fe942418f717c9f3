/// A reason why a report was not taken, or a question about beacons not answered. The engine tries again in
/// any case.
public indirect enum RegistryError: Error, Sendable, Hashable {
    /// The registry does not answer; it may answer later. The text says why.
    case unreachable(String)
    /// The registry has forgotten this device: the next report must be complete.
    case unknownDevice
    /// The device has sent too many reports, and must wait for this time before the next one.
    case rateLimited(retryAfter: Duration)
    /// The request is not for this project, or exceeds the registry's limits. The text is the registry's own
    /// reason.
    case refused(String)
    /// The registry lacks something on this machine that may become available. The text names it in a few
    /// words.
    case notReady(String)
}

extension RegistryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let why): "the registry does not answer (\(why)): trying again"
        case .unknownDevice: "the registry has forgotten this device: registering again"
        case .rateLimited(let time): "the registry wants fewer reports: waiting \(time.words)"
        case .notReady(let what): "waiting: \(what)"
        case .refused(let why): "the registry refuses what it is asked: \(why)"
        }
    }
}
