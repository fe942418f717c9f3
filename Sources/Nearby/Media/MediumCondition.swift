/// The present condition of a medium, with the obstacles to its two directions.
public struct MediumCondition: Sendable, Hashable {
    /// An obstacle to one direction. Unless the medium is missing, it keeps trying as long as it is assigned
    /// to.
    public enum Obstacle: String, Sendable, Hashable {
        /// There is no such device: no microphone, no loudspeaker, no adapter.
        case missing
        /// The system or the user forbids it.
        case forbidden
        /// The device is there, but switched off.
        case poweredOff
        /// The device exists and fails.
        case failing
        /// The owner holds the medium back for now, for example at night: nothing is wrong.
        case heldBack
    }

    /// The obstacle to sending, or `nil` if there is none.
    public var broadcast: Obstacle?
    /// The obstacle to listening, or `nil` if there is none.
    public var scan: Obstacle?
    /// The reasons for the obstacles in the driver's own words, one line each. There is none if the driver
    /// knows no more than the obstacle says.
    public var reasons: [Role: String] = [:]
    /// The profiles that the medium can send, and hears when it scans.
    public var profiles: Set<MediumAssignment.Profile>

    /// Creates a condition; without arguments it is ``ready``.
    public init(
        broadcast: Obstacle? = nil, scan: Obstacle? = nil,
        profiles: Set<MediumAssignment.Profile> = [.standard]
    ) {
        (self.broadcast, self.scan, self.profiles) = (broadcast, scan, profiles)
    }

    /// The condition without obstacles.
    public static let ready = MediumCondition()
    /// The condition in which both directions are missing, also that of a medium without a driver.
    public static let missing = MediumCondition(broadcast: .missing, scan: .missing)

    /// True if both directions are free. It is false without a microphone, although the medium can send.
    public var isReady: Bool { broadcast == nil && scan == nil }

    /// The obstacle to this direction, or `nil` if there is none.
    public subscript(_ role: Role) -> Obstacle? { role == .broadcast ? broadcast : scan }

    /// Sets the obstacle to a direction, with a reason.
    ///
    /// - Parameters:
    ///   - obstacle: the obstacle, or `nil` if there is none.
    ///   - reason: a text for people, or `nil` if nothing more is known than the obstacle says.
    public mutating func set(_ obstacle: Obstacle?, because reason: String? = nil, on role: Role) {
        switch role {
        case .broadcast: broadcast = obstacle
        case .scan: scan = obstacle
        }
        reasons[role] = obstacle == nil ? nil : reason
    }
}
