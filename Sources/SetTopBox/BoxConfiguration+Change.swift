extension BoxConfiguration {
    var pause: Duration { .seconds(sound.pauseSeconds) }

    /// Whether the engine, its devices and its registry stay as they are.
    func needsSameEngine(as old: BoxConfiguration) -> Bool {
        var (a, b) = (sound, old.sound)
        (a.pauseSeconds, b.pauseSeconds) = (0, 0)
        return a == b && rotation == old.rotation && registry == old.registry
    }
}

extension BoxRegistry {
    /// Whether what is found has other names with this one than with the one before.
    func forgetsNames(of old: BoxRegistry) -> Bool {
        guard case .server(let a) = self, case .server(let b) = old else { return true }
        return a.url != b.url || a.apiKey != b.apiKey
    }
}
