import Coding
import Glibc

/// The spread of a symbol's energy over delay and Doppler where someone walks through a room: expected, or
/// learned from the frame itself.
///
///     tones from its own    −8   …   0   …   8
///     its window             · ▂▃▁▂▃▁▂ █ ·         █ the direct path, ahead of a walker; then echoes, each
///     the next one           · ▁▂▃▁▂▃▂ ▁ ·           with a Doppler of its own
///     the one after          · ▁▁▂▂▁▁▁ · ·
///
/// Tones are those of a sender that stands still. Every part fades by itself: an energy e that is on average
/// (1 + σ) times that of all else there favours its tone by e σ / (1 + σ) − ln(1 + σ) nats.
struct ArrivalProfile {
    static let windows = 3
    /// The share of a symbol's energy in each window.
    private static let windowShares: [Float] = [0.5, 0.3, 0.2]
    /// The number of tones to either side that a walker's echoes reach: 1.6 m/s.
    static let walkerReach = 4
    /// The number of tones to either side that are looked at.
    static let tonesReach = 8
    static let offsets = 2 * tonesReach + 1
    /// The number of vectors that hold a window's offsets: places beyond them are 0.
    static let vectors = 3
    typealias Vector = SIMD8<Float>
    /// The number of symbols that the expected profile counts for.
    private static let priorSymbols: Float = 10
    /// The energy below which a part is taken for none.
    private static let leastEnergy: Float = 0.05

    /// The energies over the mean noise, by offset from the tone that was sent. `[windows][vectors]`
    private(set) var energies = [Vector](repeating: .zero, count: windows * vectors)

    /// Returns the part of a symbol's energy that each tone within a walker's reach has in each window.
    static func evenly(_ energy: Float) -> [Float] {
        windowShares.map { energy * $0 / Float(2 * walkerReach + 1) }
    }

    /// Returns the profile before anything is known: energy evenly over a walker's Dopplers.
    static func expected(energy: Float) -> ArrivalProfile {
        var profile = ArrivalProfile()
        for (window, energy) in evenly(energy).enumerated() {
            for shift in -walkerReach...walkerReach { profile[window, shift] = energy }
        }
        return profile
    }

    /// The energy in a window, `shift` tones off the one that was sent.
    subscript(window: Int, shift: Int) -> Float {
        get {
            let offset = shift + ArrivalProfile.tonesReach
            return energies[window * ArrivalProfile.vectors + offset / 8][offset % 8]
        }
        set {
            let offset = shift + ArrivalProfile.tonesReach
            energies[window * ArrivalProfile.vectors + offset / 8][offset % 8] = newValue
        }
    }

    /// Returns a profile learned from frames' symbols: their energies beyond what this profile expects of the
    /// symbols about them.
    func learned(_ frames: TonePowers, _ likely: LikelyTones, prior: ArrivalProfile) -> ArrivalProfile {
        let expectation = ArrivalExpectation(self, likely)
        var sums = prior.energies.map { $0 * ArrivalProfile.priorSymbols }
        var weights = [Vector](repeating: Vector(repeating: ArrivalProfile.priorSymbols), count: sums.count)
        var (surplus, there) = (ToneRows(ArrivalProfile.windows), ToneRows(ArrivalProfile.windows))
        for bin in 0..<ArrivalProfile.windows * TonePlan.toneCount { there[bin] = frames.frameCount }
        for symbol in 0..<likely.symbolCount {
            for bin in 0..<ArrivalProfile.windows * TonePlan.toneCount {
                surplus[bin] =
                    frames.values[symbol * TonePlan.toneCount + bin]
                    - frames.frameCount * expectation.others(symbol, bin)
            }
            likely.forEach(of: symbol) { tone, share in
                for place in sums.indices {
                    sums[place] += share * surplus.vector(place, tone)
                    weights[place] += share * there.vector(place, tone)
                }
            }
        }
        var profile = ArrivalProfile()
        for window in 0..<ArrivalProfile.windows {
            for shift in -ArrivalProfile.tonesReach...ArrivalProfile.tonesReach {
                let offset = shift + ArrivalProfile.tonesReach
                let place = window * ArrivalProfile.vectors + offset / 8
                let energy = sums[place][offset % 8] / weights[place][offset % 8]
                if energy > ArrivalProfile.leastEnergy { profile[window, shift] = energy }
            }
        }
        return profile
    }

    /// Returns log likelihood ratios of the tones of data symbols, assuming that other symbols leave what is
    /// expected.
    func metrics(_ frames: TonePowers, _ layout: FSKFrameLayout, _ likely: LikelyTones) -> ToneMetrics {
        let tones = TonePlan.toneCount
        let expectation = ArrivalExpectation(self, likely)
        var metrics = ToneMetrics(count: layout.dataSymbols.count, hasEchoes: false)
        // Energies count over all else there; beyond the band there is nothing.
        var (gains, powers) = (ToneRows(ArrivalProfile.windows), ToneRows(ArrivalProfile.windows))
        for (i, symbol) in layout.dataSymbols.enumerated() {
            for bin in 0..<ArrivalProfile.windows * tones {
                gains[bin] = 1 / max(1, expectation.others(symbol, bin))
                powers[bin] = gains[bin] * frames.values[symbol * tones + bin]
            }
            for tone in 0..<tones {
                var nats = Vector.zero
                var spreadNats: Float = 0
                for window in 0..<ArrivalProfile.windows {
                    // One logarithm covers a whole window: logarithms are slow.
                    var spread = Vector(repeating: 1)
                    for place in window * ArrivalProfile.vectors..<(window + 1) * ArrivalProfile.vectors {
                        let ratio = energies[place] * gains.vector(place, tone)
                        let all = 1 + ratio
                        nats += ratio / all * powers.vector(place, tone)
                        spread *= all
                    }
                    spreadNats += log(spread.product())
                }
                metrics.own[i * tones + tone] = nats.sum() - frames.frameCount * spreadNats
            }
        }
        return metrics
    }
}
