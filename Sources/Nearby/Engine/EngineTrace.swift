/// What an engine hears and does, as it happens.
public enum EngineTrace: Sendable, Hashable {
    case happened(MediumEvent, on: Medium)
    case answered(Answer)
    /// By the registry, unasked.
    case told(Answer)
    case failed(RegistryError)
    case did(EngineAction)
}
