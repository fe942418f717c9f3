import Signal

/// The stretch of baseband that a receiver still holds. Outside it the samples count as silence.
struct BasebandWindow: Sendable {
    private(set) var start: SamplePosition
    private(set) var samples: [Complex]

    /// - Parameter silence: the number of silent samples that the window holds from `start` on.
    init(start: SamplePosition = 0, silence: Int = 0) {
        self.start = start
        samples = [Complex](repeating: .zero, count: silence)
    }

    var end: SamplePosition { start + samples.count }

    /// The least growth of the capacity: a short window would otherwise grow again and again.
    private static let leastGrowth = 1024

    /// Appends samples. The capacity grows by an eighth if it must grow; if it doubled, much of it would
    /// never be used.
    mutating func append(_ fresh: some Collection<Complex>) {
        let needed = samples.count + fresh.count
        if needed > samples.capacity {
            samples.reserveCapacity(needed + max(needed / 8, BasebandWindow.leastGrowth))
        }
        samples += fresh
    }

    /// Returns all samples from `position` on, which the window must hold.
    func samples(from position: SamplePosition) -> ArraySlice<Complex> { samples[(position - start)...] }

    mutating func drop(before position: SamplePosition) {
        let count = min(max(position - start, 0), samples.count)
        samples.removeFirst(count)
        start += count
    }

    /// Returns true if two windows hold the same samples of a range, which both hold.
    func isEqual(to other: BasebandWindow, in range: Range<SamplePosition>) -> Bool {
        samples[range.lowerBound - start..<range.upperBound - start]
            .elementsEqual(other.samples[range.lowerBound - other.start..<range.upperBound - other.start])
    }

    /// Copies `count` samples from the absolute `position` on.
    func copy(from position: SamplePosition, count: Int, to target: UnsafeMutablePointer<Complex>) {
        let first = min(max(start - position, 0), count)
        let last = max(first, min(end - position, count))
        target.update(repeating: .zero, count: first)
        samples.withUnsafeBufferPointer { source in
            guard last > first else { return }
            (target + first).update(
                from: source.baseAddress! + (position + first - start), count: last - first)
        }
        (target + last).update(repeating: .zero, count: count - last)
    }
}
