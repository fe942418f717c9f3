import Signal

/// The step from bit windows to the likeliest division of the line into framed bytes and idling: a Viterbi
/// search over boundaries, a tenth of a bit apart.
///
///     score(j) = max( score(j−1) + mark about j,  max_L score(j−L) + L/10 · Σ windows of a byte of L steps )
///
/// Each bit adds the amplitude of its tone: space for start bits, mark for stop bits and idling, the stronger
/// for data bits. This is the likelihood of tones of unknown phase in noise, except for terms that are the
/// same on every path; it needs no level. Any L within 5 % of ten bits is allowed: a sender's clock may be
/// off by as much, as minimodem's is at 8 kHz, and each byte finds its own timing, from all of its edges and
/// its neighbours'.
struct FramingTrellis: Sendable {
    /// The delay after which readings are settled: by then all paths that are still likely agree.
    static let lag = 6 * ByteGrid.nominal
    /// The number of boundaries from one settling to the next.
    private static let stride = 50
    private var scores = [Double](repeating: 0, count: ToneWindows.capacity)
    /// The length of the byte that ends at a boundary; 0 for idling.
    private var arrivals = [UInt8](repeating: 0, count: ToneWindows.capacity)
    /// The boundaries on the way back, latest first.
    private var boundaries: [SamplePosition] = []
    /// The step up to which the reading is settled.
    private var settled: SamplePosition = 0

    init() { boundaries.reserveCapacity(ToneWindows.capacity) }

    /// Takes the latest window, and passes on the segments that are settled.
    mutating func advance(_ windows: borrowing ToneWindows, _ use: (LineSegment) -> Void) {
        let latest = windows.end - 1
        let boundary = latest + ToneWindows.stepsPerBit / 2
        let mask = ToneWindows.capacity - 1
        var best = scores[(boundary - 1) & mask] + Double(windows.mark(latest))
        var arrival: UInt8 = 0
        let (offsets, weights) = (ByteGrid.offsets, ByteGrid.weights)
        let scale = Float(ToneWindows.stepsPerBit)
        for (index, length) in ByteGrid.lengths.enumerated() {
            let start = boundary - length
            let score =
                scores[start & mask]
                + Double(scale * weights[index] * byteScore(windows, start, offsets[index]))
            if score > best { (best, arrival) = (score, UInt8(length)) }
        }
        scores[boundary & mask] = best
        arrivals[boundary & mask] = arrival
        if boundary % FramingTrellis.stride == 0 { settle(at: boundary, windows, use) }
    }

    private func byteScore(
        _ windows: borrowing ToneWindows, _ start: SamplePosition, _ offsets: [Int]
    ) -> Float {
        var sum = windows.space(start + offsets[0]) + windows.mark(start + offsets[9])
        for bit in 1...8 { sum += windows.best(start + offsets[bit]) }
        return sum
    }

    /// Goes back along the best path to `boundary`, and passes on the segments that are old enough.
    private mutating func settle(
        at boundary: SamplePosition, _ windows: borrowing ToneWindows, _ use: (LineSegment) -> Void
    ) {
        let mask = ToneWindows.capacity - 1
        boundaries.removeAll(keepingCapacity: true)
        var place = likeliestEnd(at: boundary, windows)
        while place > settled {
            boundaries.append(place)
            place -= max(1, Int(arrivals[place & mask]))
        }
        let limit = boundary - FramingTrellis.lag
        while let end = boundaries.popLast(), end <= limit {
            let length = Int(arrivals[end & mask])
            if length > 0, end - length >= settled {
                idle(through: end - length, windows, use)
                use(ByteGrid.byte(from: end - length, length, windows))
                settled = end
            } else if end - settled >= ToneWindows.stepsPerBit {
                idle(through: end, windows, use)
            }
        }
    }

    /// Returns the latest boundary of the path that is best now, which may be within a byte. Text framed
    /// wrongly often looks right for long, so a path forced to end here would not soon recover.
    private func likeliestEnd(
        at boundary: SamplePosition, _ windows: borrowing ToneWindows
    ) -> SamplePosition {
        let bit = ToneWindows.stepsPerBit
        var (best, end) = (-Double.infinity, boundary)
        for start in (boundary - ByteGrid.nominal + 1...boundary).reversed() {
            var sum: Float = 0
            var place = start
            while place + bit <= boundary {
                sum += place == start ? windows.space(place) : windows.best(place)
                place += bit
            }
            let last = place == start ? windows.space(place - bit / 2) : windows.best(place - bit / 2)
            let partial = Double(bit) * Double(sum) + Double(boundary - place) * Double(last)
            let score = scores[start & (ToneWindows.capacity - 1)] + partial
            if score > best { (best, end) = (score, start) }
        }
        return end
    }

    /// Passes on whole bits of idling up to `end`.
    private mutating func idle(
        through end: SamplePosition, _ windows: borrowing ToneWindows, _ use: (LineSegment) -> Void
    ) {
        while end - settled >= ToneWindows.stepsPerBit {
            use(ByteGrid.idle(from: settled, windows))
            settled += ToneWindows.stepsPerBit
        }
    }
}
