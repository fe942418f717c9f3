import Nearby

/// A histogram of durations, as Prometheus has it: it counts those that were at most as long as each bound.
package struct DurationHistogram: Sendable, Hashable {
    /// The bounds in seconds.
    package static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

    /// For each of ``bounds``, the number of durations that were at most as long.
    package private(set) var buckets = [Int](repeating: 0, count: bounds.count)
    /// The number of durations.
    package private(set) var count = 0
    /// The sum of the durations in seconds.
    package private(set) var seconds = 0.0

    /// A histogram of no duration.
    package init() {}

    /// Counts one duration.
    package mutating func note(_ duration: Duration) {
        let length = duration.inSeconds
        count += 1
        seconds += length
        for (n, bound) in Self.bounds.enumerated() where length <= bound { buckets[n] += 1 }
    }
}
