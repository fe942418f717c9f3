import ArgumentParser

/// Metres per second, or `random`: drawn from ±1.5 m/s for each sender.
struct SpeedArgument: ExpressibleByArgument, Sendable, Hashable {
    /// The speed; `nil` for a random one.
    var metersPerSecond: Double?

    static let random = SpeedArgument(metersPerSecond: nil)
    static let still = SpeedArgument(metersPerSecond: 0)

    init(metersPerSecond: Double?) { self.metersPerSecond = metersPerSecond }

    init?(argument: String) {
        if argument == "random" { return }
        guard let speed = Double(argument) else { return nil }
        metersPerSecond = speed
    }

    var description: String { metersPerSecond.map { "\($0)" } ?? "random" }
}
