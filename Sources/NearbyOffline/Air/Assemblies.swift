/// The incomplete bulletins of one sender. Fragments that differ in epoch, generation or count belong to
/// different bulletins: a forged fragment does not obstruct the others.
struct Assemblies: Sendable {
    /// The number of bulletins at a time. For a further one, the bulletin that has waited longest for a
    /// fragment is dropped.
    static let limit = 4

    private struct Part: Sendable {
        var epoch: UInt64
        var generation: UInt16
        var count: Int
        var assembly = Assembly()
    }

    /// The incomplete bulletins; the one that got a fragment last is at the end.
    private var parts: [Part] = []

    /// Adds a fragment. Returns the bulletin's bytes when the fragment completes it.
    mutating func add(_ fragment: Fragment, epoch: UInt64) -> [UInt8]? {
        let index = parts.firstIndex {
            $0.epoch == epoch && $0.generation == fragment.generation && $0.count == fragment.count
        }
        var part =
            index.map { parts.remove(at: $0) }
            ?? Part(epoch: epoch, generation: fragment.generation, count: fragment.count)
        let bytes = part.assembly.add(fragment)
        if bytes == nil { parts = parts.suffix(Assemblies.limit - 1) + [part] }
        return bytes
    }

    /// Drops all bulletins that are not newer than the given one.
    mutating func forget(upTo generation: UInt16, epoch: UInt64) {
        parts.removeAll { $0.epoch <= epoch && $0.generation <= generation }
    }
}
