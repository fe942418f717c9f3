import Signal

/// Rows that arrive in blocks and are read by columns: each column's values stand side by side in time.
///
///     column   |row: C C+1 … |oldest ……… newest 0 1 …|C C+1 …|
///
/// The ring has `capacity` rows, C at its beginning. The first ``reach`` of them stand after its end again.
struct ColumnRing: Sendable {
    let columns: Int
    /// The number of rows that are kept, ``reach`` more than asked for.
    private(set) var capacity: Int
    /// The distance from one column to the next in `values`.
    private(set) var stride: Int
    /// `[columns][stride]`
    private(set) var values: [Float]
    /// The number of rows that were filled at first.
    let filled: Int
    /// The row after the newest.
    private(set) var end: SamplePosition = 0
    /// The first row that can still be there: rows that were dropped do not come back when more are kept.
    private var first: SamplePosition = 0

    /// The number of rows that may be read, or appended, at once.
    static let reach = 128

    /// - Parameters:
    ///   - capacity: the number of rows before the newest that are kept; a block of ``reach`` is kept
    ///     besides.
    ///   - filled: how many rows there are at first, all of one value.
    init(columns: Int, capacity: Int, filled: Int = 0, with value: Float = 0) {
        self.columns = columns
        self.capacity = capacity + ColumnRing.reach
        stride = self.capacity + ColumnRing.reach
        values = [Float](repeating: value, count: columns * stride)
        (self.filled, end) = (filled, SamplePosition(filled))
    }

    /// The oldest row that is kept.
    var start: SamplePosition { max(first, end - capacity + ColumnRing.reach) }

    /// Keeps at least `count` rows before the newest from now on.
    mutating func grow(toCapacity count: Int) {
        guard count + ColumnRing.reach > capacity else { return }
        var grown = ColumnRing(columns: columns, capacity: count)
        for row in start..<end {
            let (from, to) = (row % capacity, row % grown.capacity)
            for column in 0..<columns {
                let value = values[column * stride + from]
                grown.values[column * grown.stride + to] = value
                guard to < ColumnRing.reach else { continue }
                grown.values[column * grown.stride + to + grown.capacity] = value
            }
        }
        (first, capacity, stride, values) = (start, grown.capacity, grown.stride, grown.values)
    }

    /// Returns the place in `values` of a column's value of a row; up to ``reach`` rows follow.
    @inline(__always)
    func place(column: Int, row: SamplePosition) -> Int {
        assert(row >= start && row < end)
        return column * stride + row % capacity
    }

    /// Returns the place of a row that stands `rows` after the one at `place` of column 0, which must be
    /// kept. It saves time for many rows.
    @inline(__always)
    func place(column: Int, _ rows: Int, after place: Int) -> Int {
        let row = place + rows
        return column * stride + (row < capacity ? row : row - capacity)
    }

    /// Appends `fresh` rows: `body` writes column c from c · stride after its argument on, and up to
    /// ``reach`` rows in all.
    mutating func append(_ fresh: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) {
        precondition(fresh <= ColumnRing.reach)
        let first = end % capacity
        values.withUnsafeMutableBufferPointer { values in
            body(values.baseAddress! + first)
            // These rows are kept in both places.
            let beyond = first + fresh - capacity
            let before = min(ColumnRing.reach - first, fresh)
            guard beyond > 0 || before > 0 else { return }
            for column in 0..<columns {
                let base = values.baseAddress! + column * stride
                if beyond > 0 { base.copy(from: base + capacity, count: beyond) }
                if before > 0 { (base + capacity + first).copy(from: base + first, count: before) }
            }
        }
        end += fresh
    }
}
