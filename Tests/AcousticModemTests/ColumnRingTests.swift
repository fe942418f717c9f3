import Signal
import Testing

@testable import AcousticModem

/// Blocks of rows fill the ring through many turns. It has every row that is kept, and as many after it as
/// may be read at once.
@Test(arguments: [(1, 92), (300, 92), (1000, 128), (50, 7)]) func ringsKeepTheirLastRows(
    capacity: Int, block: Int
) {
    var ring = ColumnRing(columns: 3, capacity: capacity, filled: 5, with: -1)
    func value(_ column: Int, _ row: SamplePosition) -> Float {
        row < 5 ? -1 : Float(Double(row * 4 + column))
    }
    for turn in 0..<60 {
        if turn == 40 { ring.grow(toCapacity: 3 * capacity / 2 + 40) }
        let (first, stride) = (ring.end, ring.stride)
        ring.append(block) { rows in
            for column in 0..<3 {
                for i in 0..<block { rows[column * stride + i] = value(column, first + i) }
            }
        }
        #expect(ring.end == first + block && ring.start <= max(0, ring.end - capacity))
        let oldest = ring.place(column: 0, row: ring.start)
        for row in ring.start..<ring.end {
            for column in 0..<3 {
                let place = ring.place(column: column, row: row)
                #expect(ring.place(column: column, row - ring.start, after: oldest) == place)
                let reach = min(ColumnRing.reach, ring.end - row)
                let isRight = (0..<reach).allSatisfy { ring.values[place + $0] == value(column, row + $0) }
                #expect(isRight)
            }
        }
    }
}
