/// What a medium can do right now, and why not more.
public struct MediumCondition: Sendable, Hashable {
    /// What stands in the way of one direction. But for a medium that is missing, it goes on trying as long as it is asked to.
    public enum Obstacle: String, Sendable, Hashable {
        /// No such device: no microphone, no loudspeaker, no adapter.
        case missing
        /// The system or the user forbids it.
        case forbidden
        case poweredOff
        /// The device exists and fails.
        case failing
    }

    public var broadcast: Obstacle?
    public var scan: Obstacle?
    /// What it can send, and hears when it scans.
    public var profiles: Set<MediumAssignment.Profile>

    public init(
        broadcast: Obstacle? = nil, scan: Obstacle? = nil,
        profiles: Set<MediumAssignment.Profile> = [.standard]
    ) {
        (self.broadcast, self.scan, self.profiles) = (broadcast, scan, profiles)
    }

    /// Nothing stands in the way.
    public static let ready = MediumCondition()
    public static let missing = MediumCondition(broadcast: .missing, scan: .missing)

    public var isReady: Bool { broadcast == nil && scan == nil }

    public subscript(_ role: Role) -> Obstacle? { role == .broadcast ? broadcast : scan }
}
