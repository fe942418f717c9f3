/// An event that a medium reports to the engine.
public enum MediumEvent: Sendable, Hashable {
    /// The condition is now this one. It is the first of all events, and is reported again whenever it
    /// changes.
    case condition(MediumCondition)
    /// A frame was heard during a scan; it may be one of this device's own frames.
    case sighted(Sighting)
    /// A beacon was heard while beacons are looked for. It is reported at once, and then from time to time.
    case beacon(BeaconSighting)
    /// A frame was sent completely.
    case sent
    /// A frame waited, because another one was on air.
    case held
}
