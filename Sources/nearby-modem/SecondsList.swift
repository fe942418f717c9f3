import ArgumentParser

/// Places in a programme: one number of seconds, or several with commas between.
struct SecondsList: ExpressibleByArgument, Sendable {
    var seconds: [Double]

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0.map { (0...1e9).contains($0) } ?? false }) else {
            return nil
        }
        seconds = numbers.compactMap { $0 }
    }
}
