extension Dictionary where Key: Comparable {
    /// The entries, the lowest key first. It sorts only the keys, so that all dictionaries with the same key
    /// type share one sort, where Swift would compile a sort for each.
    package var inOrder: [(key: Key, value: Value)] {
        var entries: [(key: Key, value: Value)] = []
        entries.reserveCapacity(count)
        for key in keys.ordered() {
            if let value = self[key] { entries.append((key, value)) }
        }
        return entries
    }
}
