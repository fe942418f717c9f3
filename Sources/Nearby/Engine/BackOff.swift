/// How long to wait before trying again: later and later, and each a little differently, so that those who lost a server
/// together do not come back together.
package struct BackOff: Sendable {
    private let range: ClosedRange<Duration>
    private var failures = 0

    /// - Parameter range: of the wait, from the first failure until it grows no more.
    package init(_ range: ClosedRange<Duration>) { self.range = range }

    package mutating func reset() { failures = 0 }

    /// After one more failure; half of it by chance.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let longest = min(range.lowerBound * (1 << min(failures, 16)), range.upperBound)
        failures += 1
        return longest * (0.5 + 0.5 * random.nextShare())
    }
}

extension RandomNumberGenerator {
    /// 0 to 1, without 1.
    package mutating func nextShare() -> Double { Double(next() >> 11) * 0x1p-53 }
}
