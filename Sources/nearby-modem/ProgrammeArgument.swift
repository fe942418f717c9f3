import ArgumentParser

/// Other sound as `FILE:DB`: its path, and its power over the signal's.
struct ProgrammeArgument: ExpressibleByArgument, Sendable, Hashable {
    var path: String
    var levelDecibels: Double

    /// The last colon separates the two, because a path may contain others.
    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), colon > argument.startIndex,
            let levelDecibels = Double(argument[argument.index(after: colon)...]),
            levelDecibels.magnitude <= 200
        else { return nil }
        path = String(argument[..<colon])
        self.levelDecibels = levelDecibels
    }
}
