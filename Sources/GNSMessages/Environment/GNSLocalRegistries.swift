import Nearby

/// A registry in this process for each API key: devices find one another only within one project.
public final class GNSLocalRegistries: Sendable {
    private let registries = Locked<[String: LocalRegistry]>([:])
    private let settings: RegistrySettings
    private let clock: EngineClock

    /// No registry yet: each is made with these when a device first comes with its key.
    public init(settings: RegistrySettings = RegistrySettings(), clock: EngineClock = .continuous()) {
        (self.settings, self.clock) = (settings, clock)
    }

    /// What one more device with this key talks to.
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
