import ArgumentParser
import Signal

/// The number of samples that a receiver is given at a time.
enum ChunksArgument: ExpressibleByArgument, Sendable, Hashable {
    case all
    /// A random number from 1 to 8192 each time.
    case random
    case of(Int)

    private static let largestRandom = 8192

    init?(argument: String) {
        switch argument {
        case "all": self = .all
        case "random": self = .random
        default:
            guard let count = Int(argument), (1...1_000_000_000).contains(count) else { return nil }
            self = .of(count)
        }
    }

    var description: String {
        switch self {
        case .all: "all"
        case .random: "random"
        case .of(let count): "\(count)"
        }
    }

    var defaultValueDescription: String { description }

    /// Returns the largest number of samples to take next.
    func nextCount(drawnFrom random: inout SplitMix64) -> Int {
        switch self {
        case .all: .max
        case .random: 1 + Int(random.nextUnit() * Double(ChunksArgument.largestRandom))
        case .of(let count): count
        }
    }
}
