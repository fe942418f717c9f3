/// What an engine hears and does, as it happens.
public enum EngineTrace: Sendable, Hashable {
    /// By a medium's driver.
    case happened(MediumEvent, on: Medium)
    /// By the registry, to a report.
    case answered(Answer)
    /// By the registry, unasked.
    case told(Answer)
    /// A report was not taken, or a question about beacons not answered.
    case failed(RegistryError)
    /// By the registry of beacons, to a question.
    case toldOfBeacons([KnownBeacon])
    /// Something to be done, just before it is.
    case did(EngineAction)
}
