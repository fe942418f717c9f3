import Glibc

/// The input of a trellis decoder for a sequence of tones: log likelihood ratios against noise, nats.
///
///     own[i][a]      tone a was sent in symbol i
///     echo1[i][b]    b was sent in the symbol before: what its echo in this one's window says
///     echo2[i][c]    c was sent two symbols before
///     again[i][a]    a was sent in both: own and echo1 together, which do not just add up
///
/// All `[count][64]`; without echoes only `own` is held.
package struct ToneMetrics: Sendable {
    package let count: Int
    package let hasEchoes: Bool
    package var own: [Float]
    package var echo1: [Float]
    package var echo2: [Float]
    package var again: [Float]

    package init(count: Int, hasEchoes: Bool) {
        (self.count, self.hasEchoes) = (count, hasEchoes)
        own = [Float](repeating: 0, count: count * TrellisCode.labelCount)
        echo1 = hasEchoes ? own : []
        echo2 = echo1
        again = echo1
    }

    /// Adds the ratios of another reception of the same tones, of the same shape.
    package mutating func add(_ other: ToneMetrics) {
        precondition(other.count == count && other.hasEchoes == hasEchoes)
        for place in own.indices { own[place] += other.own[place] }
        guard hasEchoes else { return }
        for place in own.indices {
            echo1[place] += other.echo1[place]
            echo2[place] += other.echo2[place]
            again[place] += other.again[place]
        }
    }

    /// Returns the ratio of a whole sequence of tones, `[count]`, whose ends are neighbours.
    package func total(of tones: [UInt8]) -> Float {
        var sum: Float = 0
        for i in 0..<count {
            let row = i * TrellisCode.labelCount
            let (a, b) = (Int(tones[i]), Int(tones[(i + count - 1) % count]))
            guard hasEchoes else {
                sum += own[row + a]
                continue
            }
            let c = Int(tones[(i + count - 2) % count])
            sum += a == b ? again[row + a] : own[row + a] + echo1[row + b]
            if c != a && c != b { sum += echo2[row + c] }
        }
        return sum
    }

    /// The nats of each symbol's tone, with its echoes in the next two windows: ``total(of:)`` except for
    /// symbols that repeat a tone. `[count][64]`
    var byTone: [Float] {
        guard hasEchoes else { return own }
        var sums = own
        for i in 0..<count {
            let row = i * TrellisCode.labelCount
            let next = (i + 1) % count * TrellisCode.labelCount
            let afterNext = (i + 2) % count * TrellisCode.labelCount
            for a in 0..<TrellisCode.labelCount { sums[row + a] += echo1[next + a] + echo2[afterNext + a] }
        }
        return sums
    }

    /// Returns the metrics beginning with another symbol, since the ends are neighbours.
    func rotated(by first: Int) -> ToneMetrics {
        var rotated = self
        let place = first * TrellisCode.labelCount
        rotated.own = Array(own[place...] + own[..<place])
        guard hasEchoes else { return rotated }
        rotated.echo1 = Array(echo1[place...] + echo1[..<place])
        rotated.echo2 = Array(echo2[place...] + echo2[..<place])
        rotated.again = Array(again[place...] + again[..<place])
        return rotated
    }

    /// Returns the likelihood of each tone by itself, if ratios are weighted by `confidence`: each row's sum
    /// is 1. `[count][64]`
    package func shares(confidence: Float) -> [Float] {
        var shares = own
        for first in stride(from: 0, to: own.count, by: TrellisCode.labelCount) {
            let row = first..<first + TrellisCode.labelCount
            var most = -Float.infinity
            for place in row { most = max(most, own[place]) }
            var sum: Float = 0
            for place in row {
                shares[place] = exp(confidence * (own[place] - most))
                sum += shares[place]
            }
            for place in row { shares[place] /= sum }
        }
        return shares
    }
}
