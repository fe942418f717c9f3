import CKernels
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
        precondition(TonePlan.toneCount == 64 && ArrivalProfile.walkerReach == 4, "as the kernel has them")
        let energies = ArrivalProfile.evenly(SpreadField.expectedEnergy)
        weights = energies.map { $0 / (1 + $0) }
        constant = energies.reduce(0) { $0 + Float(2 * ArrivalProfile.walkerReach + 1) * log(1 + $1) }
        ratios = ColumnRing(columns: TonePlan.toneCount, capacity: capacity)
        votes = ColumnRing(columns: 1, capacity: capacity)
    }

    /// See ``ColumnRing/grow(toCapacity:)``.
    mutating func grow(toCapacity count: Int) {
        ratios.grow(toCapacity: count)
        votes.grow(toCapacity: count)
    }

    /// - Parameters:
    ///   - energies: of half-tone bins, in columns `stride` long: `count` steps, and ``laterSteps`` after them.
    ///   - scale: what brings each bin to unit mean noise; and gains, each step's tones under the ceiling.
    mutating func append(
        _ energies: UnsafePointer<Float>, stride: Int, scale: [Float], gains: UnsafePointer<Float>,
        _ count: Int
    ) {
        let width = (count + 7) & ~7
        let first = dopplerReach - 2 * ArrivalProfile.walkerReach
        let columnStride = ratios.stride
        ratios.append(count) { ratios in
            votes.append(count) { votes in
                scale.withUnsafeBufferPointer { scale in
                    nbk_spread(
                        energies + first * stride, stride, scale.baseAddress! + first, gains, weights,
                        weights.count, TonePlan.stepsPerSymbol, SpreadField.mostEnergy, constant, ratios,
                        columnStride, votes, width)
                }
            }
        }
    }
}
