/// Fragments of one bulletin, until all are there, in whatever order they come. At most ``Fragment/capacity`` bytes.
struct Assembly: Sendable {
    private var chunks: [[UInt8]?] = []

    /// Whether it waits for fragments.
    var isEmpty: Bool { chunks.isEmpty }

    /// Returns the bulletin's bytes with the last fragment that was missing, and is empty again then. One that does not fit those
    /// before, or says again what another has said, changes nothing.
    mutating func add(_ fragment: Fragment) -> [UInt8]? {
        if chunks.isEmpty { chunks = Array(repeating: nil, count: fragment.count) }
        guard chunks.count == fragment.count, chunks[fragment.index] == nil else { return nil }
        chunks[fragment.index] = fragment.chunk
        guard chunks.allSatisfy({ $0 != nil }) else { return nil }
        defer { chunks = [] }
        return chunks.flatMap { $0 ?? [] }
    }
}
