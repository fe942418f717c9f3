import Signal

/// The layout of a programme's samples in memory: little-endian, channels interleaved.
public enum SampleFormat: Sendable, Hashable, CaseIterable {
    /// 16 bits in two bytes.
    case s16
    /// 24 bits in three bytes.
    case s24packed
    /// 24 bits in the lower three bytes of four.
    case s24
    /// 32 bits in four bytes.
    case s32
    /// 32-bit floats; full scale is ±1.
    case float

    /// The bytes of one sample of one channel, unused bits included: the step from one sample to the next.
    public var bytesPerSample: Int {
        switch self {
        case .s16: 2
        case .s24packed: 3
        case .s24, .s32, .float: 4
        }
    }

    /// Reads one of `channelCount` interleaved channels as floats: integers with full scale at ±1, floats as
    /// they are. `frames` may have any alignment.
    ///
    /// - Parameter channel: the channel's index from 0.
    public func readChannel(
        _ channel: Int, of channelCount: Int, _ frames: UnsafeRawPointer,
        into samples: UnsafeMutableBufferPointer<Float>
    ) {
        switch self {
        case .s16: read(Sample16.self, channel, channelCount, frames, samples)
        case .s24packed: read(Sample24Packed.self, channel, channelCount, frames, samples)
        case .s24: read(Sample24.self, channel, channelCount, frames, samples)
        case .s32: read(Sample32.self, channel, channelCount, frames, samples)
        case .float: read(SampleFloat.self, channel, channelCount, frames, samples)
        }
    }

    @inline(__always)
    private func read<Sample: StoredSample>(
        _: Sample.Type, _ channel: Int, _ channelCount: Int, _ frames: UnsafeRawPointer,
        _ samples: UnsafeMutableBufferPointer<Float>
    ) {
        var place = frames + channel * Sample.byteCount
        for n in samples.indices {
            samples[n] = Sample.heard(Sample.load(place))
            place += channelCount * Sample.byteCount
        }
    }
}

/// One stored sample, with the operations that mixing needs for each format. Specialised for each, so that
/// nothing is looked up.
protocol StoredSample {
    /// The type in which a sum is formed, at the format's own resolution.
    associatedtype Value

    static var byteCount: Int { get }
    static func load(_ place: UnsafeRawPointer) -> Value
    static func store(_ value: Value, _ place: UnsafeMutableRawPointer)
    /// Returns the value on the scale ±1; 0 for values that are not numbers or beyond all measure.
    static func unit(_ value: Value) -> Float
    /// Returns the value for a receiver, which judges by itself what is sound.
    static func heard(_ value: Value) -> Float
    /// Returns the nearest value; `sample` is finite.
    static func quantised(_ sample: Float) -> Value
    /// Returns the sum; the added part is cut at full scale.
    static func sum(_ programme: Value, _ added: Value) -> Value
}

extension StoredSample {
    @inline(__always) static func heard(_ value: Value) -> Float { unit(value) }
}

enum Sample16: StoredSample {
    static var byteCount: Int { 2 }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int32 {
        Int32(place.loadUnaligned(as: Int16.self))
    }
    @inline(__always) static func store(_ value: Int32, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: Int16(truncatingIfNeeded: value), as: Int16.self)
    }
    @inline(__always) static func unit(_ value: Int32) -> Float { Float(value) * 0x1p-15 }
    /// Adding 1.5 · 2²³ leaves the nearest whole number in the float's last bits: `rounded()` calls the C
    /// library where the processor may be an old one.
    @inline(__always) static func quantised(_ sample: Float) -> Int32 {
        let sum = max(-1, min(1, sample)) * 0x1p15 + 0x1.8p23
        return Int32(bitPattern: sum.bitPattern) &- 0x4B40_0000
    }
    @inline(__always) static func sum(_ programme: Int32, _ added: Int32) -> Int32 {
        max(-0x8000, min(0x7FFF, programme &+ added))
    }
}

enum Sample24: StoredSample {
    static var byteCount: Int { 4 }
    /// The highest byte may hold anything.
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int32 {
        (place.loadUnaligned(as: Int32.self) << 8) >> 8
    }
    @inline(__always) static func store(_ value: Int32, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: value, as: Int32.self)
    }
    @inline(__always) static func unit(_ value: Int32) -> Float { Float(value) * 0x1p-23 }
    @inline(__always) static func quantised(_ sample: Float) -> Int32 {
        Int32((max(-1, min(1, sample)) * 0x1p23).rounded(.toNearestOrEven))
    }
    @inline(__always) static func sum(_ programme: Int32, _ added: Int32) -> Int32 {
        max(-0x80_0000, min(0x7F_FFFF, programme &+ added))
    }
}

enum Sample24Packed: StoredSample {
    static var byteCount: Int { 3 }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int32 {
        let low = UInt32(place.loadUnaligned(as: UInt16.self))
        let high = UInt32(place.load(fromByteOffset: 2, as: UInt8.self))
        return Int32(bitPattern: low << 8 | high << 24) >> 8
    }
    @inline(__always) static func store(_ value: Int32, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
        place.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2, as: UInt8.self)
    }
    @inline(__always) static func unit(_ value: Int32) -> Float { Sample24.unit(value) }
    @inline(__always) static func quantised(_ sample: Float) -> Int32 { Sample24.quantised(sample) }
    @inline(__always) static func sum(_ programme: Int32, _ added: Int32) -> Int32 {
        Sample24.sum(programme, added)
    }
}

enum Sample32: StoredSample {
    static var byteCount: Int { 4 }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int64 {
        Int64(place.loadUnaligned(as: Int32.self))
    }
    @inline(__always) static func store(_ value: Int64, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: Int32(truncatingIfNeeded: value), as: Int32.self)
    }
    @inline(__always) static func unit(_ value: Int64) -> Float { Float(value) * 0x1p-31 }
    @inline(__always) static func quantised(_ sample: Float) -> Int64 {
        Int64((max(-1, min(1, sample)) * 0x1p31).rounded(.toNearestOrEven))
    }
    @inline(__always) static func sum(_ programme: Int64, _ added: Int64) -> Int64 {
        max(-0x8000_0000, min(0x7FFF_FFFF, programme &+ added))
    }
}

enum SampleFloat: StoredSample {
    /// The magnitude beyond which a sample is a mistake and no sound.
    private static var sanestMagnitude: Float { 16 }

    static var byteCount: Int { 4 }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Float {
        place.loadUnaligned(as: Float.self)
    }
    @inline(__always) static func store(_ value: Float, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: value, as: Float.self)
    }
    @inline(__always) static func unit(_ value: Float) -> Float {
        abs(value) <= sanestMagnitude ? value : 0
    }
    @inline(__always) static func heard(_ value: Float) -> Float { value }
    @inline(__always) static func quantised(_ sample: Float) -> Float { sample }
    /// Returns the sum. A programme that is beyond full scale already stays as it is, and so does a value
    /// that is no number.
    @inline(__always) static func sum(_ programme: Float, _ added: Float) -> Float {
        guard abs(programme) < 1 else { return programme }
        return max(-1, min(1, programme + added))
    }
}
