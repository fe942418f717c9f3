/// A dictionary whose values are in objects of their own. A hash table keeps up to three quarters of its
/// places free. For a large value a free place costs as much as a used one; here it costs a pointer.
///
/// Other modules compile it for their own types: unspecialized, an access costs thousands of instructions.
@usableFromInline
package struct BoxedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// An object with one value. Only a dictionary that holds the object alone changes it.
    @usableFromInline
    final class Box: @unchecked Sendable {
        /// `nil` only while the value is being removed. The dictionary that holds the object checks accesses.
        @usableFromInline @exclusivity(unchecked) var value: Value?

        @inlinable init(_ value: Value?) { self.value = value }
    }

    @usableFromInline var boxes: [Key: Box] = [:]

    @inlinable package init() {}

    @inlinable package var count: Int { boxes.count }
    @inlinable package var keys: [Key] { Array(boxes.keys) }
    @inlinable package var values: some Sequence<Value> { boxes.values.lazy.map { $0.value! } }
    @inlinable package var entries: some Sequence<(key: Key, value: Value)> {
        boxes.lazy.map { (key: $0.key, value: $0.value.value!) }
    }

    /// The value of a key, which can be changed in its place; `nil` if there is none.
    @inlinable package subscript(key: Key) -> Value? {
        // Not by `get`, which would copy the whole value where a part of it is wanted.
        _read { if let box = boxes[key] { yield box.value } else { yield nil } }
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
    @inlinable package mutating func removeValue(forKey key: Key) -> Value? {
        boxes.removeValue(forKey: key)?.value
    }
}
