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

/// What a medium tells the engine.
public enum MediumEvent: Sendable, Hashable {
    /// What is possible now: the first of all events, and again whenever that changes.
    case condition(MediumCondition)
    /// A frame was heard while it scans, perhaps one of its own.
    case sighted(Sighting)
    /// Heard while beacons are looked for: at once, and then now and again.
    case beacon(BeaconSighting)
    /// A frame was sent to its end.
    case sent
    /// A frame waited, for another one was on air.
    case held
}
