/// The tokens decoded lately, so that one that may be wrong is reported once a second frame holds it, too.
struct Probation: Sendable {
    /// The time that a token is remembered, and the number of tokens.
    private static let seconds = 300.0
    private static let capacity = 16

    private struct Entry: Sendable {
        var token: [UInt8]
        /// The starts of the frames that it was decoded from.
        var starts: [Double]
    }

    private var entries: [Entry] = []
    private let reach: Double
    private let frameSamples: Double

    /// - Parameters:
    ///   - rateHz: the sample rate of the baseband.
    ///   - frameSamples: the length of a frame in baseband samples. Views of one frame begin nearer to each
    ///     other, and agree about nothing.
    init(rateHz: Double, frameSamples: Double) {
        reach = Probation.seconds * rateHz
        self.frameSamples = frameSamples
    }

    /// Remembers a token decoded from frames. Returns true if earlier it was decoded from others.
    mutating func agrees(_ token: [UInt8], starts: [Double]) -> Bool {
        let now = starts.max() ?? 0
        entries.removeAll { ($0.starts.max() ?? 0) < now - reach }
        guard let known = entries.firstIndex(where: { $0.token == token }) else {
            if entries.count == Probation.capacity { entries.removeFirst() }
            entries.append(Entry(token: token, starts: starts))
            return false
        }
        let isOther = entries[known].starts.allSatisfy { start in
            starts.allSatisfy { abs($0 - start) >= frameSamples }
        }
        if isOther { entries[known].starts = starts }
        return isOther
    }
}
