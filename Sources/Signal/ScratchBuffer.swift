/// Memory for one computation: it is allocated once, and a later computation never reads its content.
///
/// Copies of a value that holds one share the memory until either claims it, so a receiver can be copied
/// freely and still allocates nothing while it runs. The memory is aligned to 64 bytes, which suits SIMD
/// transforms.
public struct ScratchBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
    public let count: Int
    @usableFromInline var storage: ScratchStorage
    @usableFromInline var base: UnsafeMutablePointer<Element>

    @inlinable
    public init(count: Int, repeating value: Element) {
        self.count = count
        storage = ScratchStorage(byteCount: count * MemoryLayout<Element>.stride)
        base = storage.raw.bindMemory(to: Element.self, capacity: max(1, count))
        base.initialize(repeating: value, count: count)
    }

    /// Returns the memory, `[count]`, for the exclusive use of the caller until its next claim. Its content
    /// is arbitrary.
    @inlinable
    public mutating func claim() -> UnsafeMutablePointer<Element> {
        if !isKnownUniquelyReferenced(&storage) { replace() }
        return base
    }

    @inlinable mutating func replace() {
        storage = ScratchStorage(byteCount: count * MemoryLayout<Element>.stride)
        base = storage.raw.bindMemory(to: Element.self, capacity: max(1, count))
    }
}

/// The storage is not generic: a claim must not look up a type.
@usableFromInline
final class ScratchStorage: @unchecked Sendable {
    @usableFromInline let raw: UnsafeMutableRawPointer

    @usableFromInline init(byteCount: Int) { raw = .allocate(byteCount: max(1, byteCount), alignment: 64) }

    deinit { raw.deallocate() }
}
