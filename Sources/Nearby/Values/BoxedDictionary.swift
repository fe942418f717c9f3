/// A dictionary whose values are in objects of their own. A hash table keeps up to three quarters of its
/// places free. For a large value a free place costs as much as a used one; here it costs a pointer.
package struct BoxedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// An object with one value. Only a dictionary that holds the object alone changes it.
    private final class Box: @unchecked Sendable {
        /// `nil` only while the value is being removed.
        var value: Value?

        init(_ value: Value?) { self.value = value }
    }

    private var boxes: [Key: Box] = [:]

    package init() {}

    package var count: Int { boxes.count }
    package var keys: [Key] { Array(boxes.keys) }
    package var values: some Sequence<Value> { boxes.values.lazy.map { $0.value! } }
    package var entries: some Sequence<(key: Key, value: Value)> {
        boxes.lazy.map { (key: $0.key, value: $0.value.value!) }
    }

    /// The value of a key, which can be changed in its place; `nil` if there is none.
    package subscript(key: Key) -> Value? {
        get { boxes[key]?.value }
        _modify {
            guard let place = boxes.index(forKey: key) else {
                var value: Value?
                defer { if let value { boxes[key] = Box(value) } }
                yield &value
                return
            }
            if !isKnownUniquelyReferenced(&boxes.values[place]) {
                boxes.values[place] = Box(boxes.values[place].value)
            }
            let box = boxes.values[place]
            defer { if box.value == nil { boxes.remove(at: place) } }
            yield &box.value
        }
    }

    /// Removes a key and returns its value; `nil` if there was none.
    package mutating func removeValue(forKey key: Key) -> Value? { boxes.removeValue(forKey: key)?.value }
}
