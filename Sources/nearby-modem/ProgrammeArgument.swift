import ArgumentParser

/// Other sound as `FILE:DB`: where it is, and its power over the signal's.
struct ProgrammeArgument: ExpressibleByArgument, Sendable, Hashable {
    var path: String
    var levelDecibels: Double

    /// The last colon parts them: a path may hold others.
    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), colon > argument.startIndex,
            let levelDecibels = Double(argument[argument.index(after: colon)...]),
            levelDecibels.magnitude <= 200
        else { return nil }
        path = String(argument[..<colon])
        self.levelDecibels = levelDecibels
    }
}
