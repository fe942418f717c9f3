/// A place on a clock that only goes forward: samples of any rate, or blocks of them, since the first.
///
///     |first ………………………… position|    position − position, and what is added to one, is an `Int`
///
/// It has 64 bits on every machine. `Int` has 32 in WebAssembly and on small ARM: at 48 kHz that is 12 hours,
/// and receivers listen for years. Being a type of its own, it cannot be taken for a count.
@frozen public struct SamplePosition: Sendable, Hashable {
    /// The count since the first; negative before it.
    public let index: Int64

    @inlinable public init(_ index: Int64) { self.index = index }
    @inlinable public init(_ index: Int) { self.index = Int64(index) }
    /// Rounds towards zero. Precondition: within 64 bits.
    @inlinable public init(_ index: Double) { self.index = Int64(index) }

    /// The positions before all others, and after them.
    @inlinable public static var min: SamplePosition { SamplePosition(Int64.min) }
    @inlinable public static var max: SamplePosition { SamplePosition(Int64.max) }

    /// Returns the same position on a clock that began at `origin` of this one. ``after(_:)`` converts back.
    @inlinable public func since(_ origin: SamplePosition) -> SamplePosition {
        SamplePosition(index - origin.index)
    }
    @inlinable public func after(_ origin: SamplePosition) -> SamplePosition {
        SamplePosition(index + origin.index)
    }

    /// Returns the position, rounded towards zero, on a clock whose ticks are `ticks` times as long.
    @inlinable public static func / (position: SamplePosition, ticks: Int) -> SamplePosition {
        SamplePosition(position.index / Int64(ticks))
    }

    /// Returns the position on a clock that ticks `ticks` times as often.
    @inlinable public static func * (position: SamplePosition, ticks: Int) -> SamplePosition {
        SamplePosition(position.index * Int64(ticks))
    }

    /// Returns the place in a ring of `count` places; negative before the first, like any remainder.
    @inlinable public static func % (position: SamplePosition, count: Int) -> Int {
        Int(truncatingIfNeeded: position.index % Int64(count))
    }

    /// Returns the place in a ring whose length is a power of two, one more than the mask; never negative.
    @inlinable public static func & (position: SamplePosition, mask: Int) -> Int {
        Int(truncatingIfNeeded: position.index & Int64(mask))
    }
}

extension SamplePosition: Strideable {
    @inlinable public static func < (a: SamplePosition, b: SamplePosition) -> Bool { a.index < b.index }
    @inlinable public static func == (a: SamplePosition, b: SamplePosition) -> Bool { a.index == b.index }

    @inlinable public func distance(to other: SamplePosition) -> Int { other - self }
    @inlinable public func advanced(by count: Int) -> SamplePosition { self + count }

    @inlinable public static func + (position: SamplePosition, count: Int) -> SamplePosition {
        SamplePosition(position.index + Int64(count))
    }

    @inlinable public static func - (position: SamplePosition, count: Int) -> SamplePosition {
        SamplePosition(position.index - Int64(count))
    }

    /// Precondition: the distance fits an `Int`.
    @inlinable public static func - (a: SamplePosition, b: SamplePosition) -> Int { Int(a.index - b.index) }

    @inlinable public static func += (position: inout SamplePosition, count: Int) {
        position = position + count
    }
    @inlinable public static func -= (position: inout SamplePosition, count: Int) {
        position = position - count
    }
}

extension SamplePosition: ExpressibleByIntegerLiteral {
    @inlinable public init(integerLiteral index: Int64) { self.index = index }
}

extension Double {
    /// Converts a position, exact up to 2⁵³: five thousand years at 48 kHz.
    @inlinable public init(_ position: SamplePosition) { self = Double(position.index) }
}
