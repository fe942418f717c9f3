/// The encoding of a written sample, little-endian.
public enum SampleEncoding: Sendable, Hashable, CaseIterable {
    /// Integers of 16 bits and of 24 bits in three bytes, which clip at full scale, and floats of 32 bits,
    /// which do not.
    case pcm16, pcm24, float32

    /// The bytes of a sample of one channel.
    public var bytesPerSample: Int {
        switch self {
        case .pcm16: 2
        case .pcm24: 3
        case .float32: 4
        }
    }

    /// Appends one sample. ±1 is full scale; integers clip beyond it; NaN is stored as 0, and so is infinity
    /// as a float.
    @inline(__always)
    func append(_ sample: Float, to bytes: inout [UInt8]) {
        switch self {
        case .pcm16: SampleEncoding.append(SampleEncoding.quantised(sample, scale: 0x1p15), 2, to: &bytes)
        case .pcm24: SampleEncoding.append(SampleEncoding.quantised(sample, scale: 0x1p23), 3, to: &bytes)
        case .float32: SampleEncoding.append((sample.isFinite ? sample : 0).bitPattern, 4, to: &bytes)
        }
    }

    /// Returns the 16 bits of a sample, as ``append(_:to:)`` stores them.
    func integer(_ sample: Float) -> Int32 {
        Int32(bitPattern: SampleEncoding.quantised(sample, scale: 0x1p15))
    }

    /// Returns the nearest integer, clipped to −scale … scale − 1. The reader's scale is the same: 16 bits
    /// in, 16 bits out.
    private static func quantised(_ sample: Float, scale: Float) -> UInt32 {
        guard !sample.isNaN else { return 0 }
        return UInt32(bitPattern: Int32(max(-scale, min(scale - 1, (sample * scale).rounded()))))
    }

    private static func append(_ word: UInt32, _ count: Int, to bytes: inout [UInt8]) {
        for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * byte))) }
    }
}
