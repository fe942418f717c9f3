/// The delay before another try. It grows with each failure and has random jitter, so that devices that lost
/// a server together do not come back together.
package struct BackOff: Sendable {
    private let range: ClosedRange<Duration>
    private var failures = 0

    /// - Parameter range: the longest delay after the first failure, and the limit up to which it grows.
    package init(_ range: ClosedRange<Duration>) { self.range = range }

    package mutating func reset() { failures = 0 }

    /// Returns the delay after one more failure; half of it is random.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let longest = min(range.lowerBound * (1 << min(failures, 16)), range.upperBound)
        failures += 1
        return longest * (0.5 + 0.5 * random.nextShare())
    }
}

extension RandomNumberGenerator {
    /// Returns a random number from 0 up to, but not including, 1.
    package mutating func nextShare() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a random time within the range.
    package mutating func nextDuration(in range: ClosedRange<Duration>) -> Duration {
        range.lowerBound + (range.upperBound - range.lowerBound) * nextShare()
    }
}
