/// A search for the first sweep in a recording, to within a block of the ``SweepCorrelator``.
///
///     power of the matched filter, blocks of 0.5 ms
///        │                                    │
///        │      ·      .      │      │      │ │
///     ___│______·______.______│______│______│_│____   background: the median of one second
///        0      P     2P     3P     4P       5P       P = 0.85 s
///
/// A place counts if both ends stand ``leastRatio`` over the background around them, and the quiet sweep
/// after the first does not: sound that repeats itself by chance is as loud there.
struct SoundingSearch {
    /// The least ratio: 10 dB over the mean of block maxima, which in noise is 1.8 times the mean power: 18
    /// times the mean, e⁻¹⁸ for each of 12 000 independent values a second, at both ends within 4 ms.
    static let leastRatio: Float = 10
    /// The greatest share of the second sweep. It is 30 dB under the first; clipping and gain controls leave
    /// little of that.
    static let mostOfQuietSweep: Float = 0.4
    /// The blocks to either side of the expected place of a sweep: 300 ppm of clock skew in 4.25 s are 1.3
    /// ms.
    static let toleranceBlocks = 3
    private static let segmentSeconds = 0.2

    private let powers: [Float]
    private let background: [Float]
    private let segmentBlocks: Int
    private let periodBlocks: Double

    init(blockPowers: [Float], blocksPerSecond: Double) {
        powers = blockPowers
        let segment = Int(SoundingSearch.segmentSeconds * blocksPerSecond)
        segmentBlocks = segment
        periodBlocks = SoundingSignal.periodSeconds * blocksPerSecond
        let means = stride(from: 0, to: blockPowers.count, by: segment).map { first in
            let blocks = blockPowers[first..<min(first + segment, blockPowers.count)]
            return blocks.reduce(0, +) / Float(blocks.count)
        }
        background = means.indices.map { i in
            let nearby = means[max(0, i - 2)...min(means.count - 1, i + 2)].sorted()
            return nearby[nearby.count / 2]
        }
    }

    /// The block of the first sweep; `nil` if there is none.
    var firstBlock: Int? {
        let last = SoundingSignal.levelsDecibels.count - 1
        var best: (block: Int, power: Float)?
        for block in 0..<max(0, powers.count - Int(Double(last) * periodBlocks)) {
            guard stands(powers[block], at: block), powers[block] > best?.power ?? 0 else { continue }
            let end = greatest(after: block, periods: last)
            guard stands(end.power, at: end.block) else { continue }
            let ends = min(powers[block], end.power)
            let quiet = greatest(after: block, periods: 1).power
            guard quiet < SoundingSearch.mostOfQuietSweep * ends || !stands(quiet, at: block) else {
                continue
            }
            if ends > best?.power ?? 0 { best = (block, ends) }
        }
        return best?.block
    }

    /// Returns true if the power stands above the background, and above the sound just before and after. A
    /// tone, a note or a click that the filter answers with a plateau is no arrival, however quiet the rest
    /// is. A room's tail is spread thinner than that.
    private func stands(_ power: Float, at block: Int) -> Bool {
        guard power > SoundingSearch.leastRatio * background[block / segmentBlocks] else { return false }
        let (near, far) = (segmentBlocks / 20, segmentBlocks / 2)
        return [block - far..<block - near, block + near..<block + far].allSatisfy { side in
            let blocks = powers[side.clamped(to: 0..<powers.count)]
            return power * Float(blocks.count) > SoundingSearch.leastRatio * blocks.reduce(0, +)
        }
    }

    private func greatest(after block: Int, periods: Int) -> (block: Int, power: Float) {
        let middle = block + Int((Double(periods) * periodBlocks).rounded())
        let reach = SoundingSearch.toleranceBlocks
        var found = (block: min(middle, powers.count - 1), power: Float(0))
        for i in max(0, middle - reach)...max(0, middle + reach)
        where i < powers.count && powers[i] > found.power {
            found = (i, powers[i])
        }
        return found
    }
}
