import AudioIO

/// How loud a token may be under a programme: as loud as asked, less where both together would clip.
///
/// The allowed level is the room above the programme's largest channel. It changes slowly, over some 20 ms, so that
/// the token stays within its band: the least over a window is averaged twice over half of it, which never exceeds
/// the allowed level anywhere.
struct LevelEnvelope {
    /// A last bit below full scale, so that rounding to 16 bits does not clip either.
    static let fullScale: Float = 1 - 0x1p-14

    /// Shape: `[frameCount]` of `block`. Samples of the half-window at `sampleRateHz`: 5 ms.
    static func gains(under block: AudioBlock, limit: Float, sampleRateHz: Int) -> [Float] {
        var allowed = [Float](repeating: limit, count: block.frameCount)
        for channel in 0..<block.channelCount {
            block.withChannel(channel) { samples in
                for n in samples.indices { allowed[n] = min(allowed[n], max(0, fullScale - abs(samples[n]))) }
            }
        }
        guard allowed.contains(where: { $0 < limit }) else { return allowed }
        let reach = sampleRateHz / 200
        return average(average(least(allowed, reach: 2 * reach), reach: reach), reach: reach)
    }

    /// The least of the 2 · reach + 1 values about each; at the ends of those there are.
    static func least(_ values: [Float], reach: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(values.count)
        // Indices whose values increase: the first is the least of the window, each later one the least after it.
        var queue: [Int] = []
        var head = 0
        for end in 0..<values.count + reach {
            if end < values.count {
                while queue.count > head, values[queue[queue.count - 1]] >= values[end] { queue.removeLast() }
                queue.append(end)
            }
            let centre = end - reach
            guard centre >= 0 else { continue }
            if queue[head] < centre - reach { head += 1 }
            result.append(values[queue[head]])
        }
        return result
    }

    /// The mean of the 2 · reach + 1 values about each; beyond the ends the end values count.
    static func average(_ values: [Float], reach: Int) -> [Float] {
        guard let first = values.first, let last = values.last else { return [] }
        func value(_ index: Int) -> Double {
            Double(index < 0 ? first : index < values.count ? values[index] : last)
        }
        var sum = (-reach...reach).reduce(0.0) { $0 + value($1) }
        return values.indices.map { n in
            defer { sum += value(n + reach + 1) - value(n - reach) }
            return Float(sum / Double(2 * reach + 1))
        }
    }
}
