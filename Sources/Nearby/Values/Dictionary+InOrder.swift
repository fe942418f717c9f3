extension Dictionary where Key: Comparable {
    /// Its entries, the lowest key first. Only keys are sorted: one sort for all that have such keys, where Swift compiles each by itself.
    package var inOrder: [(key: Key, value: Value)] {
        var entries: [(key: Key, value: Value)] = []
        entries.reserveCapacity(count)
        for key in keys.ordered() {
            if let value = self[key] { entries.append((key, value)) }
        }
        return entries
    }
}
