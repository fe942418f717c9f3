extension Array {
    /// Returns the array itself, emptied but with its memory, and leaves an empty one. The caller puts the
    /// memory back after its work.
    @inlinable public mutating func takeForReuse() -> Array {
        var taken: Array = []
        swap(&taken, &self)
        taken.removeAll(keepingCapacity: true)
        return taken
    }
}

extension UnsafeMutableBufferPointer {
    /// Sorts in place without extra memory, unlike the library's sort of more than a few elements: heap sort.
    /// `areInOrder` is a strict order.
    @inlinable
    public func heapSort(by areInOrder: (Element, Element) -> Bool) {
        for root in stride(from: count / 2 - 1, through: 0, by: -1) { sink(root, count, areInOrder) }
        for last in stride(from: count - 1, to: 0, by: -1) {
            swapAt(0, last)
            sink(0, last, areInOrder)
        }
    }

    @inlinable
    func sink(_ first: Int, _ count: Int, _ areInOrder: (Element, Element) -> Bool) {
        var root = first
        while 2 * root + 1 < count {
            var child = 2 * root + 1
            if child + 1 < count, areInOrder(self[child], self[child + 1]) { child += 1 }
            guard areInOrder(self[root], self[child]) else { return }
            swapAt(root, child)
            root = child
        }
    }
}
