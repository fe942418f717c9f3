/// Bulletins of one sender that are not whole yet. Fragments that contradict each other in epoch, generation or count are of different
/// bulletins: one that somebody forged does not stand in the way of the others.
struct Assemblies: Sendable {
    /// So many at a time; for one more, the one that has waited longest for a fragment is given up.
    static let limit = 4

    private struct Part: Sendable {
        var epoch: UInt64
        var generation: UInt16
        var count: Int
        var assembly = Assembly()
    }

    /// The one that had a fragment last is the last.
    private var parts: [Part] = []

    /// Returns the bulletin's bytes with the last fragment that was missing.
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

    /// Nothing that is not newer is waited for any more.
    mutating func forget(upTo generation: UInt16, epoch: UInt64) {
        parts.removeAll { $0.epoch <= epoch && $0.generation <= generation }
    }
}
