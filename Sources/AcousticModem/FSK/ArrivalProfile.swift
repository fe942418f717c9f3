import Coding
import Glibc

/// How a symbol's energy spreads over delay and Doppler where someone walks through a room: expected, or learned from the
/// frame itself.
///
///     tones from its own    −8   …   0   …   8
///     its window             · ▂▃▁▂▃▁▂ █ ·         █ the direct path, ahead of a walker; about it echoes, each with
///     the next one           · ▁▂▃▁▂▃▂ ▁ ·           a Doppler of its own
///     the one after          · ▁▁▂▂▁▁▁ · ·
///
/// Tones are those of a sender that stands still. Every part fades by itself: an energy e that is (1 + σ) times that of
/// what else is there, on average, speaks for its tone with e σ / (1 + σ) − ln(1 + σ) nats.
struct ArrivalProfile {
    static let windows = 3
    /// Of a symbol's energy, what each window holds.
    static let windowShares: [Float] = [0.5, 0.3, 0.2]
    /// Tones to either side that a walker's echoes reach: 1.6 m/s.
    static let walkerReach = 4
    /// Those that are looked at.
    static let tonesReach = 8
    static let offsets = 2 * tonesReach + 1
    /// Symbols that what is expected counts for.
    private static let priorSymbols: Float = 10
    /// Energies that are none.
    private static let leastEnergy: Float = 0.05

    /// Over the mean noise. `[windows][offsets]`
    private(set) var energies: [Float]

    /// Before anything is known: evenly over a walker's Dopplers.
    static func expected(energy: Float) -> ArrivalProfile {
        var energies: [Float] = []
        for share in windowShares {
            for offset in -tonesReach...tonesReach {
                energies.append(
                    abs(offset) <= walkerReach ? energy * share / Float(2 * walkerReach + 1) : 0)
            }
        }
        return ArrivalProfile(energies: energies)
    }

    /// What some frames' symbols have brought beyond what this profile expects of the symbols about them.
    func learned(_ frames: [TonePowers], _ likely: LikelyTones, prior: ArrivalProfile) -> ArrivalProfile {
        let tones = TonePlan.toneCount
        let levels = levels(likely)
        var sums = prior.energies.map { $0 * ArrivalProfile.priorSymbols }
        var weights = [Float](repeating: ArrivalProfile.priorSymbols, count: sums.count)
        for symbol in 0..<likely.symbolCount {
            let own = own(symbol, likely)
            likely.forEach(of: symbol) { tone, share in
                forEachCell(tone) { place, window, bin in
                    let at = (symbol + window) * tones + bin
                    let others = levels[at] - own[window * tones + bin]
                    for powers in frames { sums[place] += share * (powers.values[at] - others) }
                    weights[place] += share * Float(frames.count)
                }
            }
        }
        return ArrivalProfile(
            energies: zip(sums, weights).map { $0 / $1 > ArrivalProfile.leastEnergy ? $0 / $1 : 0 })
    }

    /// What the tones of data symbols have as log likelihood ratios, if other symbols leave what they are expected to.
    func metrics(_ frames: [TonePowers], _ layout: FSKFrameLayout, _ likely: LikelyTones) -> ToneMetrics {
        let tones = TonePlan.toneCount
        let levels = levels(likely)
        var metrics = ToneMetrics(count: layout.dataSymbols.count, hasEchoes: false)
        for (i, symbol) in layout.dataSymbols.enumerated() {
            let own = own(symbol, likely)
            for tone in 0..<tones {
                var nats: Float = 0
                // Of all parts at once: logarithms cost.
                var spread = SIMD4<Float>(repeating: 1)
                forEachCell(tone) { place, window, bin in
                    let energy = energies[place]
                    guard energy > 0 else { return }
                    let at = (symbol + window) * tones + bin
                    let others = max(1, levels[at] - own[window * tones + bin])
                    let all = others + energy
                    let weight = energy / (others * all)
                    for powers in frames { nats += weight * powers.values[at] }
                    spread[window] *= all / others
                }
                for window in 0..<ArrivalProfile.windows { nats -= Float(frames.count) * log(spread[window]) }
                metrics.own[i * tones + tone] = nats
            }
        }
        return metrics
    }

    /// Noise and what all symbols are expected to leave. `[windows][64]`
    private func levels(_ likely: LikelyTones) -> [Float] {
        let tones = TonePlan.toneCount
        var levels = [Float](
            repeating: 1, count: (likely.symbolCount + ArrivalProfile.windows - 1) * tones)
        for symbol in 0..<likely.symbolCount {
            let own = own(symbol, likely)
            for place in own.indices { levels[symbol * tones + place] += own[place] }
        }
        return levels
    }

    /// What a symbol is expected to leave. `[windows][64]`
    private func own(_ symbol: Int, _ likely: LikelyTones) -> [Float] {
        var own = [Float](repeating: 0, count: ArrivalProfile.windows * TonePlan.toneCount)
        likely.forEach(of: symbol) { tone, share in
            forEachCell(tone) { place, window, bin in
                own[window * TonePlan.toneCount + bin] += share * energies[place]
            }
        }
        return own
    }

    @inline(__always)
    private func forEachCell(_ tone: Int, _ body: (_ place: Int, _ window: Int, _ bin: Int) -> Void) {
        let first = max(0, ArrivalProfile.tonesReach - tone)
        let end = min(ArrivalProfile.offsets, ArrivalProfile.tonesReach + TonePlan.toneCount - tone)
        for window in 0..<ArrivalProfile.windows {
            for offset in first..<end {
                body(
                    window * ArrivalProfile.offsets + offset, window,
                    tone + offset - ArrivalProfile.tonesReach)
            }
        }
    }
}
