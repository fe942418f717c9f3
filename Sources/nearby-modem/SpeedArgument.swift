import ArgumentParser

/// Metres per second, or `random`: drawn from ±1.5 m/s for each trial.
struct SpeedArgument: ExpressibleByArgument {
    /// Nil: random.
    var metersPerSecond: Double?

    init?(argument: String) {
        if argument == "random" { return }
        guard let speed = Double(argument), speed.magnitude <= 10 else { return nil }
        metersPerSecond = speed
    }

    var defaultValueDescription: String { "random" }
}
