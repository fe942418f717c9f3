import ArgumentParser

/// A tone as `HZ:DB`: its frequency, or `random` in 18.5–20 kHz, and its power over the signal's.
struct ToneArgument: ExpressibleByArgument, Sendable, Hashable {
    /// The frequency; `nil` for a random one.
    var frequencyHz: Double?
    var levelDecibels: Double

    init?(argument: String) {
        if let numbers = ColonNumbers.parse(argument, after: "random", count: 1...1) {
            levelDecibels = numbers[0]
        } else if let numbers = ColonNumbers.parse(argument, count: 2...2), numbers[0] > 0 {
            (frequencyHz, levelDecibels) = (numbers[0], numbers[1])
        } else {
            return nil
        }
        guard levelDecibels.magnitude <= 200 else { return nil }
    }

    var description: String { "\(frequencyHz.map { "\($0)" } ?? "random"):\(levelDecibels)" }
}
