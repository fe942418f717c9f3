import Nearby

/// A buffer that joins the pieces of extended advertisements. It is bounded to ``limit`` senders at a time,
/// and ``longest`` bytes for each. A value.
package struct ExtendedReassembly: Sendable {
    package static let limit = 16
    /// The largest number of bytes in an advertisement (Core 5.4, volume 6, part B §2.3.4.9).
    package static let longest = 1650
    /// The longest time between two pieces of one advertisement.
    static let patience = Duration.seconds(2)

    private struct Sender: Hashable {
        var address: RadioAddress
        var set: UInt8?
    }

    private struct Pieces {
        var data: [UInt8]
        var last: Instant
        /// True if the advertisement is longer than allowed; all of it is then dropped, up to its end.
        var isTooLong = false
    }

    private var open: [Sender: Pieces] = [:]

    package init() {}

    package var byteCount: Int { open.values.reduce(0) { $0 + $1.data.count } }

    /// Adds a piece and returns the advertisement that it completes. If the remaining pieces were not
    /// received, it returns those that were.
    package mutating func take(_ piece: ExtendedReport, now: Instant) -> AdvertisingReport? {
        if piece.isLegacy { return piece.report }
        let sender = Sender(address: piece.report.address, set: piece.report.setID)
        var before = open[sender]
        if let last = before?.last, last + ExtendedReassembly.patience < now { before = nil }
        guard var pieces = before else {
            if piece.status == .incomplete {
                begin(sender, piece.report.data, now: now)
            } else {
                open[sender] = nil
            }
            return piece.status == .incomplete ? nil : piece.report
        }
        pieces.last = now
        if pieces.data.count + piece.report.data.count > ExtendedReassembly.longest {
            (pieces.isTooLong, pieces.data) = (true, [])
        } else if !pieces.isTooLong {
            pieces.data += piece.report.data
        }
        if piece.status == .incomplete {
            open[sender] = pieces
            return nil
        }
        open[sender] = nil
        guard !pieces.isTooLong else { return nil }
        var whole = piece.report
        whole.data = pieces.data
        return whole
    }

    private mutating func begin(_ sender: Sender, _ data: [UInt8], now: Instant) {
        if open.count >= ExtendedReassembly.limit, open[sender] == nil,
            let oldest = open.min(by: { $0.value.last < $1.value.last })
        {
            open[oldest.key] = nil
        }
        open[sender] = Pieces(data: data, last: now)
    }
}
