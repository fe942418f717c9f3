import Signal

/// White Gaussian noise from a seed.
///
/// A sum of eight uniforms: excess kurtosis −0.15, nothing beyond 4.9 σ. A receiver's matched filters add up hundreds
/// of samples, and what they see is Gaussian. Two words of the generator a sample.
public struct NoiseSource: Sendable {
    private var generator: SplitMix64
    /// Variance of one uniform over 0 … 65535.
    private static let uniformVariance = (65_536.0 * 65_536.0 - 1) / 12
    private static let unit = Float(1 / (8 * uniformVariance).squareRoot())
    private static let mean: Float = 8 * 32_767.5

    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Shape: `[count]` samples of standard deviation `sigma`.
    public mutating func samples(_ count: Int, sigma: Float) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { buffer, initialised in
            for i in 0..<count { (buffer.baseAddress! + i).initialize(to: next() * sigma) }
            initialised = count
        }
    }

    /// Adds noise to what is there.
    public mutating func add(to samples: inout [Float], sigma: Float) {
        samples.withUnsafeMutableBufferPointer { for i in $0.indices { $0[i] += next() * sigma } }
    }

    /// One sample of unit variance.
    @inline(__always)
    public mutating func next() -> Float {
        let wide = SIMD8<UInt32>(truncatingIfNeeded: SIMD8<UInt16>(from: generator.next(), generator.next()))
        return (Float(wide.wrappedSum()) - NoiseSource.mean) * NoiseSource.unit
    }
}

extension SIMD8<UInt16> {
    @inline(__always)
    fileprivate init(from low: UInt64, _ high: UInt64) {
        self = unsafeBitCast(SIMD2<UInt64>(low, high), to: SIMD8<UInt16>.self)
    }
}
