/// A medium tells the engine one of these.
public enum MediumEvent: Sendable, Hashable {
    /// The medium says what is possible now: first of all events, and again whenever that changes.
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
