/// Memory for one computation: allocated once, its content never read by a later one.
///
/// Copies of a value that holds one share the memory until either claims it, so a receiver can be copied freely
/// and still allocates nothing while it runs. Aligned to 64 bytes, as SIMD transforms like it.
public struct ScratchBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
    private final class Storage {
        let base: UnsafeMutablePointer<Element>
        init(count: Int) {
            let raw = UnsafeMutableRawPointer.allocate(
                byteCount: max(1, count) * MemoryLayout<Element>.stride, alignment: 64)
            base = raw.bindMemory(to: Element.self, capacity: max(1, count))
        }
        deinit { base.deallocate() }
    }

    public let count: Int
    private var storage: Storage

    public init(count: Int, repeating value: Element) {
        self.count = count
        storage = Storage(count: count)
        storage.base.initialize(repeating: value, count: count)
    }

    /// The memory, `[count]`, for the exclusive use of the caller until its next claim. Holds anything.
    public mutating func claim() -> UnsafeMutablePointer<Element> {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(count: count) }
        return storage.base
    }
}
