/// Arrays of every level for a list of paths, shared by reference count: paths that have not parted read one copy.
///
/// Level l holds `capacity` slots of `2^l` elements; a path maps to one slot a level.
final class PathPool<Element> {
    private let levelCount: Int
    private let capacity: Int
    private let slots: [UnsafeMutablePointer<Element>]
    private let slotOf: UnsafeMutablePointer<Int>  // [levelCount][capacity]
    private let references: UnsafeMutablePointer<Int>  // [levelCount][capacity]

    init(levelCount: Int, capacity: Int, zero: Element) {
        self.levelCount = levelCount
        self.capacity = capacity
        slots = (0..<levelCount).map { level in
            let slot = UnsafeMutablePointer<Element>.allocate(capacity: capacity << level)
            slot.initialize(repeating: zero, count: capacity << level)
            return slot
        }
        slotOf = .allocate(capacity: levelCount * capacity)
        references = .allocate(capacity: levelCount * capacity)
        reset()
    }

    deinit {
        for slot in slots { slot.deallocate() }
        slotOf.deallocate()
        references.deallocate()
    }

    /// Back to path 0 alone, in slot 0 of every level.
    func reset() {
        slotOf.update(repeating: 0, count: levelCount * capacity)
        references.update(repeating: 0, count: levelCount * capacity)
        for level in 0..<levelCount { references[level * capacity] = 1 }
    }

    func readable(level: Int, path: Int) -> UnsafePointer<Element> {
        UnsafePointer(slots[level] + slotOf[level * capacity + path] << level)
    }

    /// A slot that `path` alone owns; what stood there is not kept.
    func writable(level: Int, path: Int) -> UnsafeMutablePointer<Element> {
        let row = level * capacity
        let slot = slotOf[row + path]
        if references[row + slot] == 1 { return slots[level] + slot << level }
        references[row + slot] -= 1
        var free = 0
        while references[row + free] != 0 { free += 1 }
        references[row + free] = 1
        slotOf[row + path] = free
        return slots[level] + free << level
    }

    func release(path: Int) {
        for row in stride(from: 0, to: levelCount * capacity, by: capacity) {
            references[row + slotOf[row + path]] -= 1
        }
    }

    func share(from path: Int, to twin: Int) {
        for row in stride(from: 0, to: levelCount * capacity, by: capacity) {
            let slot = slotOf[row + path]
            slotOf[row + twin] = slot
            references[row + slot] += 1
        }
    }
}
