/// What a medium can do right now, and why not more.
public struct MediumCondition: Sendable, Hashable {
    /// What stands in the way of one direction.
    public enum Obstacle: String, Sendable, Hashable {
        /// No such device: no microphone, no loudspeaker, no adapter.
        case missing
        /// The system or the user forbids it.
        case forbidden
        case poweredOff
        /// The device exists and fails; the medium goes on trying.
        case failing
    }

    public var broadcast: Obstacle?
    public var scan: Obstacle?

    public init(broadcast: Obstacle? = nil, scan: Obstacle? = nil) {
        (self.broadcast, self.scan) = (broadcast, scan)
    }

    /// Nothing stands in the way.
    public static let ready = MediumCondition()
    public static let missing = MediumCondition(broadcast: .missing, scan: .missing)

    public var modes: Strategy.Mode {
        var modes: Strategy.Mode = []
        if broadcast == nil { modes.insert(.broadcast) }
        if scan == nil { modes.insert(.scan) }
        return modes
    }
}
