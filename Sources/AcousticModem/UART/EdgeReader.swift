import Glibc
import Signal

/// A second reading of the beginning or the end of a burst, once the carrier's level and noise are known.
///
/// To the first search, a byte that begins in the noise before the leader looks as good as any. Known levels
/// show that there is no tone in it:
///
///     noise ─▶ two bits of leader ─▶ bytes and idling ─▶ two bits of trailer ─▶ noise
///
/// Scores are log likelihood ratios of a tone over noise: ln I₀(2 A a / N) − A² / N for an amplitude a.
struct EdgeReader {
    /// The steps that are read.
    private let range: Range<SamplePosition>
    private var marks: [Float] = []
    private var spaces: [Float] = []
    /// The best score of carrier up to each boundary, and its last piece: a byte's length, or one of the
    /// constants below.
    private var scores: [Float]
    private var arrivals: [Int]
    private static let idling = 0
    private static let onset = -1
    private static let suddenOnset = -2
    private static let leader = UARTProfile.leaderBitCount * ToneWindows.stepsPerBit
    private static let trailer = UARTProfile.trailerBitCount * ToneWindows.stepsPerBit
    /// The cost of a carrier that begins or ends without idling, as in cut recordings.
    private static let suddenCost: Float = 8

    /// - Parameter range: the steps to read, whose windows are still kept.
    init(_ range: Range<SamplePosition>, _ carrier: CarrierEstimate, _ windows: borrowing ToneWindows) {
        self.range = range
        let silence = carrier.amplitude * carrier.amplitude / carrier.noise
        func nats(_ amplitude: Float) -> Float {
            let z = 2 * carrier.amplitude * amplitude / carrier.noise
            return z - 0.5 * logf(1 + 2 * .pi * z) - silence
        }
        for step in range {
            marks.append(nats(windows.mark(step)))
            spaces.append(nats(windows.space(step)))
        }
        scores = [Float](repeating: -.infinity, count: range.count + 1)
        arrivals = [Int](repeating: EdgeReader.idling, count: range.count + 1)
    }

    /// Returns the likeliest segments: from noise, or from a boundary at the range's beginning; to noise, or
    /// to one at its end.
    mutating func read(fromNoise: Bool, toNoise: Bool, _ windows: borrowing ToneWindows) -> [LineSegment] {
        let bit = ToneWindows.stepsPerBit
        if !fromNoise { scores[0] = 0 }
        for boundary in scores.indices.dropFirst() {
            // The mark is read about the boundary, or as near to it as there is one.
            let about = max(0, min(boundary - bit / 2, marks.count - 1))
            consider(boundary, scores[boundary - 1] + marks[about] / Float(bit), EdgeReader.idling)
            if fromNoise {
                consider(boundary, -EdgeReader.suddenCost, EdgeReader.suddenOnset)
                if boundary >= EdgeReader.leader {
                    consider(boundary, idling(from: boundary - EdgeReader.leader), EdgeReader.onset)
                }
            }
            for (index, length) in ByteGrid.lengths.enumerated() where boundary >= length {
                let start = boundary - length
                guard scores[start] > -.infinity else { continue }
                let byte = byteNats(start, ByteGrid.offsets[index])
                consider(boundary, scores[start] + ByteGrid.weights[index] * byte, length)
            }
        }
        return segments(to: toNoise ? likeliestEnd() : range.count, windows)
    }

    private mutating func consider(_ boundary: Int, _ score: Float, _ arrival: Int) {
        if score > scores[boundary] { (scores[boundary], arrivals[boundary]) = (score, arrival) }
    }

    /// Returns the nats of two bits of mark.
    private func idling(from start: Int) -> Float {
        marks[start] + marks[start + ToneWindows.stepsPerBit]
    }

    private func byteNats(_ start: Int, _ offsets: [Int]) -> Float {
        var sum = spaces[start + offsets[0]] + marks[start + offsets[9]]
        for bit in 1...8 { sum += max(marks[start + offsets[bit]], spaces[start + offsets[bit]]) }
        return sum
    }

    private func likeliestEnd() -> Int {
        var (best, end) = (-Float.infinity, 0)
        for boundary in scores.indices {
            if scores[boundary] - EdgeReader.suddenCost > best {
                (best, end) = (scores[boundary] - EdgeReader.suddenCost, boundary)
            }
            guard boundary + EdgeReader.trailer < scores.count else { continue }
            let score = scores[boundary] + idling(from: boundary)
            if score > best { (best, end) = (score, boundary + EdgeReader.trailer) }
        }
        return end
    }

    private func segments(to end: Int, _ windows: borrowing ToneWindows) -> [LineSegment] {
        var backward: [LineSegment] = []
        var (place, idle) = (end, 0)
        while place > 0 {
            let arrival = arrivals[place]
            if arrival == EdgeReader.suddenOnset { break }
            let length = arrival > 0 ? arrival : arrival == EdgeReader.onset ? EdgeReader.leader : 1
            place -= length
            if arrival > 0 {
                idle = 0
                backward.append(ByteGrid.byte(from: range.lowerBound + place, length, windows))
            } else {
                idle += length
                while idle >= ToneWindows.stepsPerBit {
                    idle -= ToneWindows.stepsPerBit
                    backward.append(ByteGrid.idle(from: range.lowerBound + place + idle, windows))
                }
            }
            if arrival == EdgeReader.onset { break }
        }
        return backward.reversed()
    }
}
