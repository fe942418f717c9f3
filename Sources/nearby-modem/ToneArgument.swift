import ArgumentParser

/// A tone as `HZ:DB`: its frequency, and its power over the signal's.
struct ToneArgument: ExpressibleByArgument, Sendable, Hashable {
    var frequencyHz: Double
    var levelDecibels: Double

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let frequencyHz = Double(parts[0]), let levelDecibels = Double(parts[1]),
            frequencyHz.isFinite, levelDecibels.isFinite, frequencyHz > 0
        else { return nil }
        self.frequencyHz = frequencyHz
        self.levelDecibels = levelDecibels
    }
}
