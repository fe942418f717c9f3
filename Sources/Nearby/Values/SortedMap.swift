/// A dictionary in an array that is sorted by key. With one or two entries it takes less than half the
/// memory of a hash table. A change costs time in proportion to the number of entries.
@usableFromInline
package struct SortedMap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    /// The entries, the lowest key first.
    @usableFromInline
    package internal(set) var inOrder: [(key: Key, value: Value)] = []

    @inlinable package init() {}

    @inlinable package var count: Int { inOrder.count }
    @inlinable package var values: some Sequence<Value> { inOrder.lazy.map { $0.value } }

    /// The value of a key; `nil` if there is none.
    @inlinable package subscript(key: Key) -> Value? {
        get {
            let place = place(of: key)
            return holds(key, at: place) ? inOrder[place].value : nil
        }
        set {
            let place = place(of: key)
            if let newValue {
                if holds(key, at: place) {
                    inOrder[place].value = newValue
                } else {
                    inOrder.insert((key, newValue), at: place)
                }
            } else if holds(key, at: place) {
                inOrder.remove(at: place)
            }
        }
    }

    /// Changes each value in its place, in the order of the keys.
    @inlinable package mutating func update(_ change: (Key, inout Value) -> Void) {
        for place in inOrder.indices {
            // Read before: within the call, the key would come with a copy of its value.
            let key = inOrder[place].key
            change(key, &inOrder[place].value)
        }
    }

    @inlinable package mutating func removeAll(where isGone: (Key, Value) -> Bool) {
        inOrder.removeAll { isGone($0.key, $0.value) }
    }

    /// Returns the index of the key, or of the entry before which it would stand.
    @inlinable func place(of key: Key) -> Int {
        inOrder.leadingCount { $0.key < key }
    }

    @inlinable func holds(_ key: Key, at place: Int) -> Bool {
        place < inOrder.count && inOrder[place].key == key
    }
}
