/// Rows that arrive one by one and are read by columns: each column's values stand side by side in time.
struct ColumnRing: Sendable {
    let columns: Int
    /// Room of a column.
    let capacity: Int
    /// `[columns][capacity]`
    private(set) var values: [Float]
    /// The row that stands first, and how many there are.
    private(set) var start = 0
    private var count = 0

    init(columns: Int, capacity: Int) {
        (self.columns, self.capacity) = (columns, capacity)
        values = [Float](repeating: 0, count: columns * capacity)
    }

    var end: Int { start + count }

    /// Where a column's value of a row stands in `values`; rows after it follow.
    @inline(__always)
    func place(column: Int, row: Int) -> Int { column * capacity + row - start }

    mutating func append(_ row: UnsafePointer<Float>) {
        precondition(count < capacity, "rows must be dropped before there is no room")
        values.withUnsafeMutableBufferPointer {
            let first = $0.baseAddress! + count
            for column in 0..<columns { first[column &* capacity] = row[column] }
        }
        count += 1
    }

    /// Appends to one column; the others follow, in order, up to the last one.
    mutating func append(_ values: UnsafePointer<Float>, count fresh: Int, column: Int) {
        precondition(count + fresh <= capacity, "rows must be dropped before there is no room")
        self.values.withUnsafeMutableBufferPointer {
            ($0.baseAddress! + column * capacity + count).update(from: values, count: fresh)
        }
        if column == columns - 1 { count += fresh }
    }

    mutating func drop(before row: Int) {
        let dropped = min(max(row - start, 0), count)
        // Moving costs: not for a few.
        guard dropped >= capacity / 4 else { return }
        values.withUnsafeMutableBufferPointer { values in
            for column in 0..<columns {
                let base = values.baseAddress! + column * capacity
                base.update(from: base + dropped, count: count - dropped)
            }
        }
        start += dropped
        count -= dropped
    }
}
