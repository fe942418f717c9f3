/// Keys by the time at which each is to be looked at: what has been renewed meanwhile is put back for later, so renewing costs
/// nothing. A binary heap; each key is in it once.
struct ExpiryQueue<Key: Hashable & Sendable>: Sendable {
    private var heap: [(time: Instant, key: Key)] = []

    /// The first time at which there may be something to do.
    var deadline: Instant? { heap.first?.time }

    mutating func add(_ key: Key, at time: Instant) {
        heap.append((time, key))
        var child = heap.count - 1
        while child > 0, heap[child].time < heap[(child - 1) / 2].time {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// A key whose time has come; nil when there is none.
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
