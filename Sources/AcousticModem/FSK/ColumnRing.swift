/// Rows that arrive in blocks and are read by columns: each column's values stand side by side in time.
struct ColumnRing: Sendable {
    let columns: Int
    /// Room of a column.
    let capacity: Int
    /// `[columns][capacity]`, and a vector after them.
    private(set) var values: [Float]
    /// The row that stands first, and how many there are.
    private(set) var start = 0
    private var count = 0

    /// - Parameter filled: how many rows there are at first, all of one value.
    init(columns: Int, capacity: Int, filled: Int = 0, with value: Float = 0) {
        (self.columns, self.capacity) = (columns, capacity)
        values = [Float](repeating: value, count: columns * capacity + ColumnRing.vector)
        count = filled
    }

    var end: Int { start + count }

    /// Where a column's value of a row stands in `values`; rows after it follow.
    @inline(__always)
    func place(column: Int, row: Int) -> Int { column * capacity + row - start }

    private static let vector = 8

    /// Appends `fresh` rows: `body` writes column c from c · capacity after its argument on. What it writes of the next rows, to
    /// the end of the vector, is overwritten or never read.
    mutating func append(_ fresh: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) {
        precondition(
            count + fresh + ColumnRing.vector <= capacity, "rows must be dropped before there is no room")
        values.withUnsafeMutableBufferPointer { body($0.baseAddress! + count) }
        count += fresh
    }

    /// What stood before `row` is read no more. It is moved out of the way when `fresh` more rows would find no room.
    mutating func drop(before row: Int, toAppend fresh: Int) {
        guard count + fresh + ColumnRing.vector > capacity else { return }
        let dropped = min(max(row - start, 0), count)
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
