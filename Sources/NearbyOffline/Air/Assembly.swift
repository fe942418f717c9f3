/// The fragments of one bulletin until it is complete, in any order. It holds at most ``Fragment/capacity``
/// bytes.
struct Assembly: Sendable {
    private var chunks: [[UInt8]?] = []

    /// True if there are no fragments.
    var isEmpty: Bool { chunks.isEmpty }

    /// Adds a fragment. Returns the bulletin's bytes when the fragment completes it, and is empty again then.
    /// A fragment that does not fit the ones before, or repeats one, changes nothing.
    mutating func add(_ fragment: Fragment) -> [UInt8]? {
        if chunks.isEmpty { chunks = Array(repeating: nil, count: fragment.count) }
        guard chunks.count == fragment.count, chunks[fragment.index] == nil else { return nil }
        chunks[fragment.index] = fragment.chunk
        guard chunks.allSatisfy({ $0 != nil }) else { return nil }
        defer { chunks = [] }
        return chunks.flatMap { $0 ?? [] }
    }
}
