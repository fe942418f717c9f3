/// The only random generator of the package: small, seedable, the same on every machine.
///
/// It is also part of the waveform: interleavers and scramblers are drawn from it.
/// Reference: Steele, Lea, Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a uniform number in (0, 1): 53 bits, never 0 and never 1.
    public mutating func nextUnit() -> Double {
        (Double(next() >> 11) + 0.5) * 0x1p-53
    }
}
