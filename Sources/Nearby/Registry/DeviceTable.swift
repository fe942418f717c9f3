/// The values of a registry's devices, each in an object of its own. A device is found by its place, where a
/// hash table would have to hash its identity; and a place that no device has costs a pointer.
///
/// Other modules compile it for their own types: unspecialized, an access costs thousands of instructions.
@usableFromInline
package struct DeviceTable<Value: Sendable>: Sendable {
    /// An object with one value. Only a table that holds the object alone changes it.
    @usableFromInline
    final class Box: @unchecked Sendable {
        /// `nil` for the object of no device.
        @usableFromInline let id: RegistryState.DeviceID?
        /// `nil` only for no device, and while the value is being removed. The table that holds the object
        /// checks accesses.
        @usableFromInline @exclusivity(unchecked) var value: Value?

        @inlinable init(_ id: RegistryState.DeviceID?, _ value: Value? = nil) {
            (self.id, self.value) = (id, value)
        }
    }

    @usableFromInline var boxes: [Box?] = []
    @usableFromInline let none = Box(nil)
    /// The number of devices that have a value.
    @usableFromInline
    package internal(set) var count = 0

    @inlinable package init() {}

    @inlinable package var ids: [RegistryState.DeviceID] { boxes.compactMap { $0?.id } }
    @inlinable package var values: some Sequence<Value> { boxes.lazy.compactMap { $0?.value } }

    @inlinable func holds(_ id: RegistryState.DeviceID) -> Bool {
        id.place < boxes.count && boxes[id.place]?.id == id
    }

    /// The value of a device, which can be changed in its place; `nil` if there is none.
    ///
    /// `table[id].map { $0.part }` reads a stored part of a large value in its place. `table[id]?.part` may
    /// copy the whole value before.
    @inlinable package subscript(id: RegistryState.DeviceID) -> Value? {
        // Not by `get`, which would copy the whole value where a part of it is wanted. Neither holds a value
        // meanwhile, for which memory would be allocated at each access.
        _read {
            let box = holds(id) ? boxes[id.place]! : none
            yield box.value
        }
        _modify {
            let box = ownBox(of: id)
            defer { put(box, of: id) }
            yield &box.value
        }
    }

    /// Returns the object with the value of a device, which no copy of the table holds.
    @inlinable mutating func ownBox(of id: RegistryState.DeviceID) -> Box {
        guard holds(id) else { return Box(id) }
        if !isKnownUniquelyReferenced(&boxes[id.place]) {
            boxes[id.place] = Box(id, boxes[id.place]!.value)
        }
        return boxes[id.place]!
    }

    /// Puts a device's object into its place, or takes it away if its value is `nil`.
    @inlinable mutating func put(_ box: Box, of id: RegistryState.DeviceID) {
        let isHeld = holds(id)
        guard isHeld != (box.value != nil) else { return }
        if isHeld {
            boxes[id.place] = nil
            count -= 1
        } else {
            while boxes.count <= id.place { boxes.append(nil) }
            // The device that had the place before has left.
            if boxes[id.place] == nil { count += 1 }
            boxes[id.place] = box
        }
    }

    /// Removes a device and returns its value; `nil` if it has none.
    @inlinable package mutating func removeValue(of id: RegistryState.DeviceID) -> Value? {
        defer { self[id] = nil }
        return self[id]
    }
}
