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
        case .rateLimited(let time): "the registry wants fewer reports: waiting \(time.words)"
        case .notReady(let what): "waiting: \(what)"
        case .refused(let why): "the registry refuses what it is asked: \(why)"
        }
    }
}
