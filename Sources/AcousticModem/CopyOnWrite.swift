/// A large value behind a reference: whoever holds it moves one word, and so does an array that grows. Copies
/// share it until one of them changes it.
///
/// Where Swift is Embedded, nobody copies what these hold: ``copies(_:of:)`` makes each anew. There, a change
/// of a shared value traps: the code that copies a receiver would be 2 % of the C library.
struct CopyOnWrite<Value: Sendable>: @unchecked Sendable {
    private var storage: CopyOnWriteStorage<Value>

    init(_ value: consuming Value) { storage = CopyOnWriteStorage(value) }

    /// The value in place, to be changed or to read what it stores. A call of a method that only reads may
    /// copy all of it; see ``read(_:)``.
    var value: Value {
        @inline(__always) unsafeAddress { UnsafePointer(storage.place) }
        @inline(__always) unsafeMutableAddress {
            #if hasFeature(Embedded)
                precondition(isKnownUniquelyReferenced(&storage), "nobody copies receivers here")
            #else
                if !isKnownUniquelyReferenced(&storage) {
                    storage = CopyOnWriteStorage(storage.place.pointee)
                }
            #endif
            return storage.place
        }
    }

    /// Calls `body` with the value, which it only reads, in place.
    @inline(__always)
    func read<Result>(_ body: (inout Value) -> Result) -> Result { body(&storage.place.pointee) }
}

private final class CopyOnWriteStorage<Value: Sendable>: @unchecked Sendable {
    let place: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        place = .allocate(capacity: 1)
        place.initialize(to: value)
    }

    deinit {
        place.deinitialize(count: 1)
        place.deallocate()
    }
}

/// Returns as many values as asked for: copies of one, which share what they never change; or, where nobody
/// copies, values made one after the other.
func copies<Value>(_ count: Int, of make: () -> Value) -> [Value] {
    #if hasFeature(Embedded)
        (0..<count).map { _ in make() }
    #else
        Array(repeating: make(), count: count)
    #endif
}
