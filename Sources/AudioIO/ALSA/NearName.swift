/// A search for the names that a user may have meant.
package enum NearName {
    /// Returns the names that differ in at most half of the name's letters, the nearest first.
    package static func nearest(to name: String, of names: [String], most: Int) -> [String] {
        let wanted = Array(name.lowercased().utf8)
        let near = names.map { (name: $0, distance: distance(wanted, Array($0.lowercased().utf8))) }
            .filter { $0.distance <= max(1, wanted.count / 2) }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(most).map(\.name)
    }

    /// Returns the number of letters to insert, remove or change (Levenshtein).
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let changed = diagonal + (a[i] == b[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(changed, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
