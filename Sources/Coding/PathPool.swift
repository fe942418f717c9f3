/// Arrays of every level for a list of paths, shared by reference count: paths that have not diverged read
/// one copy.
///
/// Level l holds `capacity` slots of `2^l` elements; a path maps to one slot a level.
final class PathPool<Element: BitwiseCopyable> {
    private let levelCount: Int
    private let capacity: Int
    private let elements: UnsafeMutablePointer<Element>
    private let slots: UnsafeMutablePointer<UnsafeMutablePointer<Element>>  // [levelCount]
    private let slotOf: UnsafeMutablePointer<Int>  // [levelCount][capacity]
    private let references: UnsafeMutablePointer<Int>  // [levelCount][capacity]
    private let freeSlots: UnsafeMutablePointer<Int>  // [levelCount][capacity], a stack a level
    private let freeCounts: UnsafeMutablePointer<Int>  // [levelCount]

    init(levelCount: Int, capacity: Int) {
        self.levelCount = levelCount
        self.capacity = capacity
        slots = .allocate(capacity: levelCount)
        // Level l begins after the capacity · (2^l − 1) elements of those below it. The memory is left
        // untouched: short lists only need the first slots, and pages that are never written take no memory.
        elements = .allocate(capacity: capacity * (1 << levelCount - 1))
        for level in 0..<levelCount { (slots + level).initialize(to: elements + capacity * (1 << level - 1)) }
        slotOf = .allocate(capacity: levelCount * capacity)
        references = .allocate(capacity: levelCount * capacity)
        freeSlots = .allocate(capacity: levelCount * capacity)
        freeCounts = .allocate(capacity: levelCount)
        reset()
    }

    deinit {
        elements.deallocate()
        slots.deallocate()
        slotOf.deallocate()
        references.deallocate()
        freeSlots.deallocate()
        freeCounts.deallocate()
    }

    /// Resets to path 0 alone, in slot 0 of every level.
    func reset() {
        for level in 0..<levelCount {
            let row = level * capacity
            slotOf[row] = 0
            references[row] = 1
            for slot in 1..<max(capacity, 1) where slot < capacity {
                freeSlots[row + capacity - 1 - slot] = slot
            }
            freeCounts[level] = capacity - 1
        }
    }

    @inline(__always)
    func readable(level: Int, path: Int) -> UnsafePointer<Element> {
        UnsafePointer(slots[level] + slotOf[level &* capacity &+ path] &<< level)
    }

    /// Returns a slot that `path` alone owns; its former content is not kept.
    @inline(__always)
    func writable(level: Int, path: Int) -> UnsafeMutablePointer<Element> {
        let row = level &* capacity
        var slot = slotOf[row &+ path]
        if references[row &+ slot] != 1 {
            references[row &+ slot] &-= 1
            freeCounts[level] &-= 1
            slot = freeSlots[row &+ freeCounts[level]]
            references[row &+ slot] = 1
            slotOf[row &+ path] = slot
        }
        return slots[level] + slot &<< level
    }

    func release(path: Int) {
        for level in 0..<levelCount {
            let row = level &* capacity
            let slot = slotOf[row &+ path]
            references[row &+ slot] &-= 1
            if references[row &+ slot] == 0 {
                freeSlots[row &+ freeCounts[level]] = slot
                freeCounts[level] &+= 1
            }
        }
    }

    func share(from path: Int, to twin: Int) {
        for row in stride(from: 0, to: levelCount * capacity, by: capacity) {
            let slot = slotOf[row &+ path]
            slotOf[row &+ twin] = slot
            references[row &+ slot] &+= 1
        }
    }
}
