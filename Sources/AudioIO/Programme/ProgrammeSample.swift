/// A stored sample at any alignment. Each format has its own specialisation.
protocol ProgrammeSample {
    static var byteCount: Int { get }
    /// Returns the sample, ±1 at full scale; 0 for NaN and for absurdly large values.
    static func unit(_ place: UnsafeRawPointer) -> Float
    /// Adds `step`, finite, ±1 at full scale. Returns true if the step had to be reduced at full scale.
    static func add(_ step: Float, _ validBits: Int, to place: UnsafeMutableRawPointer) -> Bool
}

/// A sample that represents an integer.
protocol IntegerSample: ProgrammeSample {
    /// The number of bits; full scale is 2^(bits − 1).
    static var bits: Int { get }
    static var greatest: Int { get }
    static var least: Int { get }
    static func load(_ place: UnsafeRawPointer) -> Int
    static func store(_ value: Int, _ place: UnsafeMutableRawPointer)
}

extension IntegerSample {
    static var greatest: Int { (1 << (bits - 1)) - 1 }
    static var least: Int { -(1 << (bits - 1)) }

    @inline(__always) static func unit(_ place: UnsafeRawPointer) -> Float {
        Float(load(place)) / Float(1 << (bits - 1))
    }

    @inline(__always) static func add(
        _ step: Float, _ validBits: Int, to place: UnsafeMutableRawPointer
    ) -> Bool {
        // The unused bits at the end take no part: the step is a multiple of the last significant bit, and so
        // is the limit.
        let unused = bits - min(validBits, bits)
        let added = Int((Double(step) * Double(1 << (bits - 1 - unused))).rounded()) << unused
        guard added != 0 else { return false }
        let (old, top) = (load(place), (greatest >> unused) << unused)
        let sum = old + added
        let limited = max(min(old, least), min(max(old, top), sum))
        if limited != old { store(limited, place) }
        return limited != sum
    }
}

enum Unsigned8: IntegerSample {
    static var byteCount: Int { 1 }
    static var bits: Int { 8 }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int {
        Int(place.load(as: UInt8.self)) - 128
    }
    @inline(__always) static func store(_ value: Int, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: UInt8(truncatingIfNeeded: value + 128), as: UInt8.self)
    }
}

enum Signed24: IntegerSample {
    static var byteCount: Int { 3 }
    static var bits: Int { 24 }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int {
        Int(place.loadUnaligned(as: UInt16.self)) | Int(place.load(fromByteOffset: 2, as: Int8.self)) << 16
    }
    @inline(__always) static func store(_ value: Int, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
        place.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2, as: UInt8.self)
    }
}

/// A sample in the machine's own storage of an integer.
protocol NativeSample: IntegerSample {
    associatedtype Value: FixedWidthInteger & SignedInteger & BitwiseCopyable
}

extension NativeSample {
    static var byteCount: Int { MemoryLayout<Value>.size }
    static var bits: Int { Value.bitWidth }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int {
        Int(place.loadUnaligned(as: Value.self))
    }
    @inline(__always) static func store(_ value: Int, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: Value(truncatingIfNeeded: value), as: Value.self)
    }
}

enum Signed16: NativeSample { typealias Value = Int16 }
enum Signed32: NativeSample { typealias Value = Int32 }

/// A sample that is a floating-point number, ±1 at full scale.
protocol FloatingSample: ProgrammeSample {
    associatedtype Value: BinaryFloatingPoint & BitwiseCopyable
}

extension FloatingSample {
    static var byteCount: Int { MemoryLayout<Value>.size }

    @inline(__always) static func unit(_ place: UnsafeRawPointer) -> Float {
        let value = Float(place.loadUnaligned(as: Value.self))
        // A sample beyond 16 is a mistake, not sound.
        return abs(value) <= 16 ? value : 0
    }

    /// Leaves a sample at full scale or beyond as it is, and also NaN.
    @inline(__always) static func add(
        _ step: Float, _: Int, to place: UnsafeMutableRawPointer
    ) -> Bool {
        let old = place.loadUnaligned(as: Value.self)
        guard old.magnitude < 1 else { return true }
        let sum = old + Value(step)
        place.storeBytes(of: max(-1, min(1, sum)), as: Value.self)
        return sum.magnitude > 1
    }
}

enum Float32Sample: FloatingSample { typealias Value = Float }
enum Float64Sample: FloatingSample { typealias Value = Double }
