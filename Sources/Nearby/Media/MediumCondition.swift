/// What a medium can do right now, and why not more.
public struct MediumCondition: Sendable, Hashable {
    /// What stands in the way of one direction. But for a medium that is missing, it goes on trying as long as it is asked to.
    public enum Obstacle: String, Sendable, Hashable {
        /// No such device: no microphone, no loudspeaker, no adapter.
        case missing
        /// The system or the user forbids it.
        case forbidden
        /// It is there, but switched off.
        case poweredOff
        /// The device exists and fails.
        case failing
        /// Its owner holds it back for now, at night say: nothing is wrong.
        case heldBack
    }

    /// What stands in the way of sending; nil: nothing.
    public var broadcast: Obstacle?
    /// What stands in the way of listening; nil: nothing.
    public var scan: Obstacle?
    /// Why there is an obstacle, in the driver's own words, a line each; none where the driver knows no more than the obstacle says.
    public var reasons: [Role: String] = [:]
    /// What it can send, and hears when it scans.
    public var profiles: Set<MediumAssignment.Profile>

    /// Without arguments ``ready``.
    public init(
        broadcast: Obstacle? = nil, scan: Obstacle? = nil,
        profiles: Set<MediumAssignment.Profile> = [.standard]
    ) {
        (self.broadcast, self.scan, self.profiles) = (broadcast, scan, profiles)
    }

    /// Nothing stands in the way.
    public static let ready = MediumCondition()
    /// Neither direction is there; so is a medium without a driver.
    public static let missing = MediumCondition(broadcast: .missing, scan: .missing)

    /// Whether both directions are free: false without a microphone, though it can send.
    public var isReady: Bool { broadcast == nil && scan == nil }

    /// What stands in the way of this direction; nil: nothing.
    public subscript(_ role: Role) -> Obstacle? { role == .broadcast ? broadcast : scan }

    /// Sets what stands in the way of a direction, and why.
    ///
    /// - Parameters:
    ///   - obstacle: nil: nothing does.
    ///   - reason: for people; nil where nothing more is known than the obstacle says.
    public mutating func set(_ obstacle: Obstacle?, because reason: String? = nil, on role: Role) {
        switch role {
        case .broadcast: broadcast = obstacle
        case .scan: scan = obstacle
        }
        reasons[role] = obstacle == nil ? nil : reason
    }
}
