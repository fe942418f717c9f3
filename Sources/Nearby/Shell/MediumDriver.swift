/// One way of carrying tokens between devices. The engine speaks only to this.
public protocol MediumDriver: Sendable {
    /// Which one this drives; an engine uses one driver for each. Does not change.
    var medium: Medium { get }

    /// What happens on it, the present condition first. For one reader; ends when the medium is let go.
    func events() -> AsyncStream<MediumEvent>

    /// Does this, and nothing else, from now on. Returns when it is under way; what cannot be done shows in the
    /// condition.
    func carryOut(_ assignment: MediumAssignment) async
}
