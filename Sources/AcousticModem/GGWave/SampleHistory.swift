import Signal

/// The latest samples, by their number since the first. Samples that are not held read as silence.
struct SampleHistory: Sendable {
    /// The ring, a power of two long. Sample n is at n mod count.
    private var ring: [Float]
    private let leastCount: Int
    /// The position after the last sample.
    private(set) var end: SamplePosition = 0
    /// The position at which more than half of the ring was needed last.
    private var lastFull: SamplePosition = 0

    /// Room is freed when it has not been needed for so many samples: markers that noise makes come and go.
    private static let idleSamples = 480_000

    /// - Parameter count: the least number of samples held.
    init(holding count: Int) {
        var capacity = 1
        while capacity < count { capacity *= 2 }
        ring = [Float](repeating: 0, count: capacity)
        leastCount = capacity
    }

    /// Makes room for `count` more samples beside all from `position` on, and frees room that has not been
    /// needed for long.
    mutating func makeRoom(for count: Int, from position: SamplePosition) {
        let needed = end - position + count
        var capacity = ring.count
        while capacity < needed { capacity *= 2 }
        if 2 * needed > capacity { lastFull = end }
        if end - lastFull > SampleHistory.idleSamples {
            while capacity > leastCount, capacity >= 4 * needed { capacity /= 2 }
        }
        if capacity != ring.count { resize(to: capacity) }
    }

    private mutating func resize(to capacity: Int) {
        var resized = [Float](repeating: 0, count: capacity)
        for sample in max(0, end - min(ring.count, capacity))..<end {
            resized[sample & (capacity - 1)] = ring[sample & (ring.count - 1)]
        }
        ring = resized
    }

    mutating func append(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples[...]
        while !rest.isEmpty {
            let place = end & (ring.count - 1)
            let part = UnsafeBufferPointer(rebasing: rest.prefix(ring.count - place))
            ring.withUnsafeMutableBufferPointer {
                Kernels.copySane(part.baseAddress!, part.count, into: $0.baseAddress! + place)
            }
            rest = rest.dropFirst(part.count)
            end += part.count
        }
    }

    /// Computes sums[i] = Σ_f x[start + 1024 f + i], f < frames, i < 1024: only tones on whole bins add up.
    func fold(from start: SamplePosition, frames: Int, into sums: UnsafeMutablePointer<Float>) {
        let size = GGWaveProtocol.frameSamples
        sums.update(repeating: 0, count: size)
        let held = max(0, end - ring.count)..<end
        ring.withUnsafeBufferPointer { ring in
            for frame in 0..<frames {
                let first = start + frame * size
                var wanted = (first..<first + size).clamped(to: held)
                // First up to the ring's end, then from its beginning.
                while !wanted.isEmpty {
                    let place = wanted.lowerBound & (ring.count - 1)
                    let count = min(wanted.count, ring.count - place)
                    Kernels.add(ring.baseAddress! + place, count, to: sums + (wanted.lowerBound - first))
                    wanted = wanted.dropFirst(count)
                }
            }
        }
    }
}
