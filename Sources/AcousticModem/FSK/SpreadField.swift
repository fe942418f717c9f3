import CKernels
import Glibc
import Signal

/// The likelihood of tones, step by step, when someone walks through a room: echoes arrive for three windows,
/// each with a Doppler of its own, and spread a tone's energy over the tones to either side. It uses
/// ``ArrivalProfile/expected(energy:)``, which knows nothing of the frame.
struct SpreadField: Sendable {
    /// The energy over the noise that the search expects of a symbol, added up over all places where it
    /// arrives.
    static let expectedEnergy: Float = 12
    private static let mostEnergy: Float = 32

    /// The log likelihood ratio of each tone, and the log of the mean likelihood over all tones.
    private(set) var ratios: ColumnRing
    private(set) var votes: ColumnRing
    /// The weight of an energy in each window, and the constant that all windows together subtract.
    private let weights: [Float]
    private let constant: Float
    private let dopplerReach: Int

    /// The number of windows from later steps that a step needs.
    static let laterSteps = (ArrivalProfile.windows - 1) * TonePlan.stepsPerSymbol

    /// - Parameter dopplerReach: the number of half-tone bins before the first tone's.
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
    ///   - energies: the energies of half-tone bins, in columns `stride` long: `count` steps, and
    ///     ``laterSteps`` after them.
    ///   - scale: the factor of each bin to unit mean noise.
    ///   - gains: the factors that keep each step's tones under the ceiling.
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
