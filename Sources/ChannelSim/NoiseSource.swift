import Signal

/// A source of white Gaussian noise from a seed: exact in distribution, tails included, whatever the receiver
/// does with it.
///
/// The ziggurat: the density is covered by 256 layers of equal area, so nearly every sample is one word of
/// the generator, one table look-up, one product and one comparison; the 1 % in the wedges and the tail are
/// settled in double precision. Reference: Marsaglia, Tsang, *The Ziggurat Method for Generating Random
/// Variables*, JSS 5(8), 2000.
public struct NoiseSource: Sendable {
    private var generator: SplitMix64
    private let layers = Ziggurat.shared

    /// Creates a source. The same seed makes the same noise, however many samples are taken at a time.
    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Returns `[count]` samples of standard deviation `sigma`.
    public mutating func samples(_ count: Int, sigma: Float) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { buffer, initialised in
            fill(buffer) { $0.initialize(to: $1 * sigma) }
            initialised = count
        }
    }

    /// Adds noise to samples.
    public mutating func add(to samples: inout [Float], sigma: Float) {
        samples.withUnsafeMutableBufferPointer { buffer in fill(buffer) { $0.pointee += $1 * sigma } }
    }

    /// Returns one sample of unit variance.
    public mutating func next() -> Float {
        layers.table.withUnsafeBufferPointer { layers.sample($0.baseAddress!, &generator) }
    }

    @inline(__always)
    private mutating func fill(
        _ buffer: UnsafeMutableBufferPointer<Float>, _ put: (UnsafeMutablePointer<Float>, Float) -> Void
    ) {
        guard let base = buffer.baseAddress else { return }
        var local = generator  // kept in registers: the loop is as fast as the generator
        layers.table.withUnsafeBufferPointer { table in
            for i in 0..<buffer.count { put(base + i, layers.sample(table.baseAddress!, &local)) }
        }
        generator = local
    }
}
