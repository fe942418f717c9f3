import Glibc
import Signal

/// What tones have, step by step, if someone walks through a room: echoes come for three windows, each with a Doppler of
/// its own, and a tone's energy is spread over those to either side. ``ArrivalProfile/expected(energy:)``, blindly.
struct SpreadField: Sendable {
    /// Of a symbol, wherever it arrives, that the search expects: over the noise.
    static let expectedEnergy: Float = 12
    private static let mostEnergy: Float = 32

    /// Log likelihood ratio of each tone, and the log of the mean likelihood over all tones.
    private(set) var ratios: ColumnRing
    private(set) var votes: ColumnRing
    /// What an energy adds in each window, and all of them take away.
    private let weights: [Float]
    private let constant: Float
    private let dopplerReach: Int

    /// Windows of later steps that a step needs.
    static let laterSteps = (ArrivalProfile.windows - 1) * TonePlan.stepsPerSymbol

    /// - Parameter dopplerReach: half-tone bins before the first tone's.
    init(dopplerReach: Int, capacity: Int) {
        self.dopplerReach = dopplerReach
        precondition(dopplerReach >= 2 * ArrivalProfile.walkerReach)
        let energies = ArrivalProfile.evenly(SpreadField.expectedEnergy)
        weights = energies.map { $0 / (1 + $0) }
        constant = energies.reduce(0) { $0 + Float(2 * ArrivalProfile.walkerReach + 1) * log(1 + $1) }
        ratios = ColumnRing(columns: TonePlan.toneCount, capacity: capacity)
        votes = ColumnRing(columns: 1, capacity: capacity)
    }

    /// - Parameters:
    ///   - steps: energies of half-tone bins from a step on, to ``laterSteps`` after it. `[steps][binCount]`
    ///   - scale: what brings each bin to unit mean noise; and gain, all of them under the ceiling.
    mutating func append(_ steps: UnsafePointer<Float>, binCount: Int, scale: [Float], gain: Float) {
        let tones = TonePlan.toneCount
        let reach = ArrivalProfile.walkerReach
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * tones + 2 * reach) { scratch in
            let sums = scratch.baseAddress!
            let energies = sums + tones
            sums.update(repeating: -constant, count: tones)
            for (window, weight) in weights.enumerated() {
                let row = steps + window * TonePlan.stepsPerSymbol * binCount
                for place in 0..<tones + 2 * reach {
                    let bin = dopplerReach + 2 * (place - reach)
                    energies[place] = weight * min(row[bin] * scale[bin] * gain, SpreadField.mostEnergy)
                }
                var sum: Float = 0
                for place in 0..<2 * reach { sum += energies[place] }
                for tone in 0..<tones {
                    sum += energies[tone + 2 * reach]
                    sums[tone] += sum
                    sum -= energies[tone]
                }
            }
            ratios.append(sums)
            var most = -Float.infinity
            for tone in 0..<tones { most = max(most, sums[tone]) }
            var likelihood: Float = 0
            for tone in 0..<tones { likelihood += exp(sums[tone] - most) }
            var vote = most + log(likelihood / Float(tones))
            votes.append(&vote)
        }
    }

    mutating func drop(before step: Int) {
        ratios.drop(before: step)
        votes.drop(before: step)
    }
}
