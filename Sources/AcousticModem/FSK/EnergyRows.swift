import Signal

/// The energies of half-tone bins in the last steps, a row for each.
struct EnergyRows: Sendable {
    let binCount: Int
    /// `[steps][binCount]`, with spare room.
    private var values: [Float] = []
    /// The first step that is held, and the number of steps.
    private(set) var start: SamplePosition = 0
    private(set) var count = 0

    private static let rowsAtATime = 24

    init(binCount: Int) { self.binCount = binCount }

    var end: SamplePosition { start + count }

    /// Appends the row of a step, which `body` fills. Shape: `[binCount]`.
    mutating func append(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        let place = count * binCount
        // Some rows are added at a time; used ones leave room.
        if values.count == place {
            values.reserveCapacity(place + EnergyRows.rowsAtATime * binCount)
            values += repeatElement(0, count: EnergyRows.rowsAtATime * binCount)
        }
        values.withUnsafeMutableBufferPointer { body($0.baseAddress! + place) }
        count += 1
    }

    /// Calls `body` with the rows from a step on.
    @inline(__always)
    func withRows<Result>(from step: SamplePosition, _ body: (UnsafePointer<Float>) -> Result) -> Result {
        values.withUnsafeBufferPointer { body($0.baseAddress! + (step - start) * binCount) }
    }

    /// Drops the rows before a step.
    mutating func drop(before step: SamplePosition) {
        let used = step - start
        start += used
        count -= used
        values.withUnsafeMutableBufferPointer {
            let rows = $0.baseAddress!
            rows.copy(from: rows + used * binCount, count: count * binCount)
        }
    }
}
