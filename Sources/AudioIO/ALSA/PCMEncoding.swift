import CALSA

/// How a sound device takes samples, little-endian, the best first.
public enum PCMEncoding: String, Sendable, Hashable, CaseIterable {
    /// 32 bits: integers, and floats whose full scale is ±1.
    case s32, f32
    /// 24 bits in the lower three bytes of four.
    case s24
    /// 24 bits in three bytes.
    case s24packed
    /// 16 bits in two bytes.
    case s16

    var alsa: snd_pcm_format_t {
        switch self {
        case .s32: SND_PCM_FORMAT_S32_LE
        case .f32: SND_PCM_FORMAT_FLOAT_LE
        case .s24: SND_PCM_FORMAT_S24_LE
        case .s24packed: SND_PCM_FORMAT_S24_3LE
        case .s16: SND_PCM_FORMAT_S16_LE
        }
    }

    /// Of one channel, unused bits included.
    public var bytesPerSample: Int {
        switch self {
        case .s32, .f32, .s24: 4
        case .s24packed: 3
        case .s16: 2
        }
    }

    /// Stored samples → ±1. Called by audio threads: no allocation, no calls.
    ///
    /// - Parameter count: samples, all channels together.
    func decode(_ bytes: UnsafeRawPointer, count: Int, into samples: UnsafeMutablePointer<Float>) {
        switch self {
        case .s32:
            for i in 0..<count {
                samples[i] = Float(bytes.loadUnaligned(fromByteOffset: 4 * i, as: Int32.self)) * 0x1p-31
            }
        case .f32:
            for i in 0..<count {
                let value = bytes.loadUnaligned(fromByteOffset: 4 * i, as: Float.self)
                // One that is not a number would silence the receiver behind it.
                samples[i] = value.isFinite ? value : 0
            }
        case .s24:
            for i in 0..<count {
                let word = bytes.loadUnaligned(fromByteOffset: 4 * i, as: Int32.self)
                samples[i] = Float(word << 8) * 0x1p-31
            }
        case .s24packed:
            for i in 0..<count {
                let low = bytes.loadUnaligned(fromByteOffset: 3 * i, as: UInt16.self)
                let high = bytes.load(fromByteOffset: 3 * i + 2, as: UInt8.self)
                let word = UInt32(low) << 8 | UInt32(high) << 24
                samples[i] = Float(Int32(bitPattern: word)) * 0x1p-31
            }
        case .s16:
            for i in 0..<count {
                samples[i] = Float(bytes.loadUnaligned(fromByteOffset: 2 * i, as: Int16.self)) * 0x1p-15
            }
        }
    }

    /// ±1 → stored samples; beyond it integers clip, and what is not a number is 0. As ``decode(_:count:into:)``.
    func encode(_ samples: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutableRawPointer) {
        switch self {
        case .s32:
            for i in 0..<count {
                bytes.storeBytes(of: quantised(samples[i], 0x1p31), toByteOffset: 4 * i, as: Int32.self)
            }
        case .f32:
            for i in 0..<count {
                bytes.storeBytes(
                    of: samples[i].isFinite ? samples[i] : 0, toByteOffset: 4 * i, as: Float.self)
            }
        case .s24:
            for i in 0..<count {
                bytes.storeBytes(of: quantised(samples[i], 0x1p23), toByteOffset: 4 * i, as: Int32.self)
            }
        case .s24packed:
            for i in 0..<count {
                let word = UInt32(bitPattern: quantised(samples[i], 0x1p23))
                bytes.storeBytes(
                    of: UInt16(truncatingIfNeeded: word), toByteOffset: 3 * i, as: UInt16.self)
                bytes.storeBytes(
                    of: UInt8(truncatingIfNeeded: word >> 16), toByteOffset: 3 * i + 2, as: UInt8.self)
            }
        case .s16:
            for i in 0..<count {
                bytes.storeBytes(
                    of: Int16(truncatingIfNeeded: quantised(samples[i], 0x1p15)), toByteOffset: 2 * i,
                    as: Int16.self)
            }
        }
    }

    /// Nearest integer, of two that are as near the even one, clipped to −scale … scale − 1.
    ///
    /// Rounding is an addition: the last bit of 1.5 · 2⁵² is worth 1, so the sum's lowest bits are the integer's. It is no call
    /// and no trap, which keeps loops of it in vectors: a third of the instructions of `rounded()`.
    private func quantised(_ sample: Float, _ scale: Double) -> Int32 {
        let number = sample.isNaN ? 0 : Double(sample) * scale
        let sum = max(-scale, min(scale - 1, number)) + 0x1.8p52
        return Int32(truncatingIfNeeded: sum.bitPattern)
    }
}
