/// An entry of a trace: something that an engine hears or does, at the time when it happens.
public enum EngineTrace: Sendable, Hashable {
    /// An event that a medium's driver reported.
    case happened(MediumEvent, on: Medium)
    /// The registry's answer to a report.
    case answered(Answer)
    /// An unsolicited notification of the registry.
    case notified(Answer)
    /// A report failed, or a query about beacons did.
    case failed(RegistryError)
    /// The answer of the registry of beacons to a query.
    case notifiedOfBeacons([KnownBeacon])
    /// An action, just before it is carried out.
    case did(EngineAction)
}
