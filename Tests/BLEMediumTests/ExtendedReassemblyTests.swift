import BLEMedium
import Nearby
import Testing

struct ExtendedReassemblyTests {
    private func piece(
        _ sender: UInt64, set: UInt8 = 0, _ data: [UInt8], _ status: ExtendedReport.Status
    ) -> ExtendedReport {
        ExtendedReport(
            AdvertisingReport(RadioAddress(.random, bits: sender), rssiDBm: -50, data: data, setID: set),
            status)
    }

    /// Two senders, and two sets of one of them, come by turns.
    @Test func piecesOfSeveralAreKeptApart() {
        var reassembly = ExtendedReassembly()
        let now = Instant.start
        #expect(reassembly.take(piece(1, [1], .incomplete), now: now) == nil)
        #expect(reassembly.take(piece(2, [2], .incomplete), now: now) == nil)
        #expect(reassembly.take(piece(1, set: 1, [3], .incomplete), now: now) == nil)
        #expect(reassembly.take(piece(1, [4], .incomplete), now: now) == nil)
        #expect(reassembly.take(piece(2, [5], .complete), now: now)?.data == [2, 5])
        #expect(reassembly.take(piece(1, [6], .complete), now: now)?.data == [1, 4, 6])
        #expect(reassembly.take(piece(1, set: 1, [7], .truncated), now: now)?.data == [3, 7])
        #expect(reassembly.byteCount == 0)
    }

    @Test func aWholeOneIsPassedOn() {
        var reassembly = ExtendedReassembly()
        #expect(reassembly.take(piece(1, [1], .complete), now: .start)?.data == [1])
        var legacy = piece(1, [2], .complete)
        legacy.isLegacy = true
        #expect(reassembly.take(legacy, now: .start)?.data == [2])
    }

    /// The reassembly accepts 1650 bytes. It drops 1651 and everything that follows up to the end.
    @Test func aLongOneIsBounded() {
        var reassembly = ExtendedReassembly()
        for _ in 0..<7 {
            #expect(
                reassembly.take(piece(1, .init(repeating: 1, count: 229), .incomplete), now: .start) == nil)
        }
        #expect(
            reassembly.take(piece(1, .init(repeating: 1, count: 47), .complete), now: .start)?.data.count
                == 1650)
        for _ in 0..<7 {
            _ = reassembly.take(piece(1, .init(repeating: 1, count: 229), .incomplete), now: .start)
        }
        #expect(reassembly.take(piece(1, .init(repeating: 1, count: 48), .incomplete), now: .start) == nil)
        #expect(reassembly.byteCount == 0)
        #expect(reassembly.take(piece(1, [1], .incomplete), now: .start) == nil)
        #expect(reassembly.take(piece(1, [1], .complete), now: .start) == nil)
        #expect(reassembly.take(piece(1, [9], .complete), now: .start)?.data == [9])
    }

    /// Many senders that never end do not fill memory, and the last of them are kept.
    @Test func manySendersAreBounded() {
        var reassembly = ExtendedReassembly()
        for sender in 0..<1000 {
            _ = reassembly.take(
                piece(UInt64(sender), .init(repeating: 1, count: 229), .incomplete),
                now: .start + .milliseconds(sender))
            #expect(reassembly.byteCount <= ExtendedReassembly.limit * 229)
        }
        #expect(reassembly.take(piece(999, [2], .complete), now: .start + .seconds(1))?.data.count == 230)
    }

    @Test func aPieceOfLongAgoIsForgotten() {
        var reassembly = ExtendedReassembly()
        _ = reassembly.take(piece(1, [1], .incomplete), now: .start)
        #expect(reassembly.take(piece(1, [2], .complete), now: .start + .seconds(3))?.data == [2])
    }
}
