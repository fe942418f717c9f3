import Glibc

/// A tail of power over lag, cut off where noise hides it, with its rate of decay.
struct TailDecay {
    /// The energy of the tail before noise hides it, less the noise.
    let energy: Double
    let sampleCount: Int
    /// The reverberation time in samples; `nil` if fewer than 10 dB of decay stand out of the noise.
    let rt60Samples: Double?

    /// The levels of the energy still to come between which the slope's line is fitted: from `start` to
    /// `end`, and in noise to `leastEnd` at least.
    private static let lineDecibels = (start: -5.0, end: -25.0, leastEnd: -15.0)

    /// - Parameters:
    ///   - powers: the powers from the direct sound's end on, one a sample.
    ///   - leastOverNoise: the mean over three bins, noise included and relative to it, below which the tail
    ///     ends.
    init(_ powers: [Double], noise: Double, binSampleCount: Int, leastOverNoise: Double = 2) {
        let bins = stride(from: 0, through: powers.count - binSampleCount, by: binSampleCount).map { first in
            powers[first..<first + binSampleCount].reduce(0, +) - Double(binSampleCount) * noise
        }
        // Three bins count together, since echoes come and go.
        let end = bins.indices.first { i in
            let nearby = bins[i..<min(i + 3, bins.count)]
            let least = (leastOverNoise - 1) * noise * Double(binSampleCount * nearby.count)
            return nearby.reduce(0, +) <= least
        }
        let kept = bins[..<(end ?? bins.count)]
        sampleCount = kept.count * binSampleCount
        energy = max(0, kept.reduce(0, +))
        rt60Samples = TailDecay.rt60Bins(Array(kept)).map { $0 * Double(binSampleCount) }
    }

    /// Returns the decay by Schroeder's backward integral, corrected for the part that is cut off, and the
    /// least-squares line through its middle.
    private static func rt60Bins(_ bins: [Double]) -> Double? {
        guard let first = line(of: integral(bins, beyond: 0)) else { return nil }
        // Beyond the cut, an exponential goes on along the line. Two passes settle it.
        var slope = first
        for _ in 0..<2 {
            let share = exp(slope * log(10) / 10)  // of one bin to the one before
            let last = bins.suffix(4).reduce(0, +) / Double(min(4, bins.count))
            let beyond = max(0, last) * share / max(1e-6, 1 - share)
            guard let next = line(of: integral(bins, beyond: beyond)) else { return nil }
            slope = next
        }
        return -60 / slope
    }

    private static func integral(_ bins: [Double], beyond: Double) -> [Double] {
        var (sums, sum) = ([Double](repeating: 0, count: bins.count), beyond)
        for i in bins.indices.reversed() {
            sum += bins[i]
            sums[i] = sum
        }
        return sums
    }

    /// Returns the slope in decibels a bin, negative; `nil` if the decay is too short to measure.
    private static func line(of sums: [Double]) -> Double? {
        guard let top = sums.first, top > 0 else { return nil }
        let decibels = sums.map { 10 * log10(max(1e-12, $0 / top)) }
        guard let start = decibels.firstIndex(where: { $0 <= lineDecibels.start }),
            let least = decibels.firstIndex(where: { $0 <= lineDecibels.leastEnd })
        else { return nil }
        let end = decibels.firstIndex { $0 <= lineDecibels.end } ?? max(least, decibels.count - 2)
        guard end > start + 1 else { return nil }
        let points = decibels[start...end]
        let count = Double(points.count)
        let meanX = Double(start + end) / 2
        let meanY = points.reduce(0, +) / count
        var (xy, xx) = (0.0, 0.0)
        for i in start...end {
            xy += (Double(i) - meanX) * (decibels[i] - meanY)
            xx += (Double(i) - meanX) * (Double(i) - meanX)
        }
        return xy < 0 ? xy / xx : nil
    }
}
