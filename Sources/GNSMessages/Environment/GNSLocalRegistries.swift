import Nearby

/// One registry in this process for each API key: devices find one another only within one project.
public final class GNSLocalRegistries: Sendable {
    private let registries = Locked<[String: LocalRegistry]>([:])
    private let settings: RegistrySettings
    private let clock: EngineClock

    /// Makes no registry yet. Each registry is made with this clock and these settings when the first device
    /// comes with its key.
    public init(settings: RegistrySettings = RegistrySettings(), clock: EngineClock = .continuous()) {
        (self.settings, self.clock) = (settings, clock)
    }

    /// Returns one more device's connection to the registry of this key.
    public func device(apiKey: String) -> any TokenRegistry {
        let registry = registries.withLock { registries in
            if let known = registries[apiKey] { return known }
            let new = LocalRegistry(settings: settings, clock: clock)
            registries[apiKey] = new
            return new
        }
        return registry.device()
    }
}
