import CALSA

/// The encodings of samples on a sound device, little-endian, the best first.
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

    /// The bytes of a sample of one channel, with unused bits.
    public var bytesPerSample: Int {
        switch self {
        case .s32, .f32, .s24: 4
        case .s24packed: 3
        case .s16: 2
        }
    }

    /// Converts stored samples to ±1. Audio threads call it: it allocates nothing and calls nothing.
    ///
    /// - Parameter count: the number of samples of all channels together.
    func decode(_ bytes: UnsafeRawPointer, count: Int, into samples: UnsafeMutablePointer<Float>) {
        switch self {
        case .s32:
            for i in 0..<count {
                samples[i] = Float(bytes.loadUnaligned(fromByteOffset: 4 * i, as: Int32.self)) * 0x1p-31
            }
        case .f32:
            for i in 0..<count {
                let value = bytes.loadUnaligned(fromByteOffset: 4 * i, as: Float.self)
                // A NaN or an infinity would silence the receiver behind it.
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

    /// Converts ±1 to stored samples; integers clip beyond it, and NaN becomes 0. For the rest see
    /// ``decode(_:count:into:)``.
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

    /// Returns the nearest integer, or the even one of two equally near, clipped to −scale … scale − 1.
    ///
    /// It rounds by an addition: the last bit of 1.5 · 2⁵² is worth 1, so the sum's lowest bits are the
    /// integer's. There is no call and no trap, so loops of it stay in vectors: it takes a third of the
    /// instructions of `rounded()`.
    private func quantised(_ sample: Float, _ scale: Double) -> Int32 {
        let number = sample.isNaN ? 0 : Double(sample) * scale
        let sum = max(-scale, min(scale - 1, number)) + 0x1.8p52
        return Int32(truncatingIfNeeded: sum.bitPattern)
    }
}
