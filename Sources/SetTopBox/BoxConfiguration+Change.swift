extension BoxConfiguration {
    var pause: Duration { .seconds(sound.pauseSeconds) }

    /// Returns true if the engine, its devices and its registry can stay as they are.
    func needsSameEngine(as old: BoxConfiguration) -> Bool {
        var (a, b) = (sound, old.sound)
        (a.pauseSeconds, b.pauseSeconds) = (0, 0)
        return a == b && rotation == old.rotation && registry == old.registry
    }
}

extension BoxRegistry {
    /// Returns true if this registry names publications differently than the old one.
    func forgetsNames(of old: BoxRegistry) -> Bool {
        guard case .server(let a) = self, case .server(let b) = old else { return true }
        return a.url != b.url || a.apiKey != b.apiKey
    }
}
