import Signal

/// Samples within ±½ from a seed.
struct RandomSamples {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func floats(_ count: Int) -> [Float] {
        (0..<count).map { _ in Float(random.nextUnit()) - 0.5 }
    }

    mutating func complexes(_ count: Int) -> [Complex] {
        zip(floats(count), floats(count)).map { Complex($0.0, $0.1) }
    }
}
