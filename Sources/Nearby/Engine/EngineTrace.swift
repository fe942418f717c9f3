/// What an engine hears and does, as it happens.
public enum EngineTrace: Sendable, Hashable {
    case happened(MediumEvent, on: Medium)
    case answered(Answer)
    /// By the registry, unasked.
    case told(Answer)
    case failed(RegistryError)
    /// By the registry of beacons, to a question.
    case toldOfBeacons([KnownBeacon])
    case did(EngineAction)
}
