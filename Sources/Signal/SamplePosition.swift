/// A place on a clock that only goes forward: samples of any rate, or blocks of them, since the first.
///
///     |first ………………………… position|        position − position, and what is added to one, is an `Int`: a count or an offset
///
/// It has 64 bits on every machine. `Int` has 32 in WebAssembly and on small ARM: at 48 kHz that is 12 hours, and whoever listens does so
/// for years. A type of its own, so that no place is taken for a count.
@frozen public struct SamplePosition: Sendable, Hashable {
    /// Since the first; negative before it.
    public let index: Int64

    @inlinable public init(_ index: Int64) { self.index = index }
    @inlinable public init(_ index: Int) { self.index = Int64(index) }
    /// Towards zero. Precondition: within 64 bits.
    @inlinable public init(_ index: Double) { self.index = Int64(index) }

    /// Before all others, and after them.
    @inlinable public static var min: SamplePosition { SamplePosition(Int64.min) }
    @inlinable public static var max: SamplePosition { SamplePosition(Int64.max) }

    /// The same place on a clock that began at `origin` of this one; and of a place on such a clock, the same one on this.
    @inlinable public func since(_ origin: SamplePosition) -> SamplePosition {
        SamplePosition(index - origin.index)
    }
    @inlinable public func after(_ origin: SamplePosition) -> SamplePosition {
        SamplePosition(index + origin.index)
    }

    /// On a clock whose ticks are so many times as long, towards zero.
    @inlinable public static func / (position: SamplePosition, ticks: Int) -> SamplePosition {
        SamplePosition(position.index / Int64(ticks))
    }

    /// On a clock that ticks so many times as often.
    @inlinable public static func * (position: SamplePosition, ticks: Int) -> SamplePosition {
        SamplePosition(position.index * Int64(ticks))
    }

    /// Where it stands in a ring of so many places. Negative before the first, as of any remainder.
    @inlinable public static func % (position: SamplePosition, count: Int) -> Int {
        Int(truncatingIfNeeded: position.index % Int64(count))
    }

    /// The same of a ring whose length is a power of two, one more than the mask; before the first, too.
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

    /// Precondition: no more apart than counts reach.
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
    /// Exact up to 2⁵³: five thousand years at 48 kHz.
    @inlinable public init(_ position: SamplePosition) { self = Double(position.index) }
}
