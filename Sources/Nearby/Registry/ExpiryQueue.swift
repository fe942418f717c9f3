/// A priority queue of keys by the time at which each is due for a check. The owner puts a key that was
/// renewed meanwhile back for later, so renewing costs nothing. The queue is a binary heap and holds each key
/// once.
struct ExpiryQueue<Key: Hashable & Sendable>: Sendable {
    private var heap: [(time: Instant, key: Key)] = []

    /// The first time at which a key may be due, or `nil` if the queue is empty.
    var deadline: Instant? { heap.first?.time }

    mutating func add(_ key: Key, at time: Instant) {
        heap.append((time, key))
        var child = heap.count - 1
        while child > 0, heap[child].time < heap[(child - 1) / 2].time {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns a key whose time has come, or returns `nil` if there is none.
    mutating func next(at now: Instant) -> Key? {
        guard let first = heap.first, first.time <= now else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty { sift(last) }
        return first.key
    }

    private mutating func sift(_ item: (time: Instant, key: Key)) {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].time < heap[child].time { child += 1 }
            guard heap[child].time < item.time else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = item
    }
}
