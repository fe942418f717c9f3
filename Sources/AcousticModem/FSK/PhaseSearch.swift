import CKernels
import Glibc
import Signal

/// A search for a frame's phases before anything is decoded: it computes, over all turns of time and
/// frequency, how likely the received values are, whichever tones were sent.
///
///     likely tones of each symbol ─▶ likelihood on a grid of turns ─▶ peaks ─▶ weighted by how likely
///     each tone is, now that phases count ─▶ refined ─▶ …
///
/// The second half is expectation and maximisation: A. Dempster, N. Laird and D. Rubin, J. R. Stat. Soc. B
/// 39(1), 1977.
struct PhaseSearch {
    /// The turns that are tried, in radians a symbol and a tone: up to a quarter of a tone and a tenth of a
    /// symbol, which energies cannot resolve; in steps that turn a frame's ends by `stepAcross`.
    private static let greatestPerSymbol = 1.6
    private static let greatestPerTone = 0.65
    private static let stepAcross = 2.4
    /// The number of tones of a symbol that are tried, the strongest.
    private static let likelyTones = 4
    private static let peaks = 3
    /// The greatest nats, so that exponentials stay finite.
    private static let mostNats: Float = 40
    /// The greatest nats that a tone's phase adds: four of both together stay under 88, where a float's
    /// exponent ends.
    private static let mostPhaseNats: Float = 46
    private static let passes = 2
    /// The weight below which a tone does not count.
    private static let leastWeight: Float = 0.03

    let layout: FSKFrameLayout
    let plan: TonePlan
    /// The amplitude of the part that keeps its phase, and the mean energy of the rest, noise included.
    let amplitude: Float
    let spread: Float
    /// The sync tone of each symbol; `nil` for data symbols.
    private let syncTones: [Int?]

    /// - Parameters:
    ///   - snr: the energy of a symbol over the noise.
    ///   - steadyShare: the share of it that keeps its phase.
    init(_ layout: FSKFrameLayout, _ plan: TonePlan, snr: Float, steadyShare: Float) {
        (self.layout, self.plan) = (layout, plan)
        amplitude = (snr * steadyShare).squareRoot()
        spread = 1 + snr * (1 - steadyShare)
        var syncTones = [Int?](repeating: nil, count: layout.symbolCount)
        for sync in layout.syncs { syncTones[sync.symbol] = sync.tone }
        self.syncTones = syncTones
        Kernels.require(TonePlan.toneCount, multipleOf: 8, atLeast: 8)
    }

    /// Computes ln p(value | its tone was sent) − ln p(value | noise) for a row of tones, whatever their
    /// phase: ``commonNats`` + ln I₀(2 A |z| / σ).
    private func unphased(
        _ values: UnsafePointer<Complex>, _ count: Int, into nats: UnsafeMutablePointer<Float>
    ) {
        Kernels.floats(values) {
            nbk_unphased_nats($0, perPower, commonNats, 2 * amplitude / spread, nats, count)
        }
    }

    /// Computes the same with the phases of a fit, from the row's first tone on.
    private func phased(
        _ values: UnsafePointer<Complex>, _ symbol: Int, firstTone: Int, _ count: Int, _ fit: PhaseFit,
        into nats: UnsafeMutablePointer<Float>
    ) {
        // Whole turns are taken off first: single precision is then enough.
        let first = fit.angle(symbol: symbol, tone: firstTone)
        let step = fit.angle(symbol: symbol, tone: firstTone + 1) - first
        let least = first - (first / (2 * .pi)).rounded() * 2 * .pi
        Kernels.floats(values) {
            nbk_phased_nats(
                $0, perPower, commonNats, 2 * amplitude / spread, Float(least), Float(step), nats, count)
        }
    }

    /// The part that both formulas share: `perPower` · |value|² + `commonNats`.
    private var perPower: Float { 1 - 1 / spread }
    private var commonNats: Float { -amplitude * amplitude / spread - log(spread) }

    /// Returns fits, the likeliest first.
    func fits(_ grid: ToneGrid) -> [(fit: PhaseFit, nats: Float)] {
        peaks(grid).map { refined($0, grid) }.sorted { $0.nats > $1.nats }
    }

    /// Refines a fit together with the weights of its likely tones.
    func refined(_ fit: PhaseFit, _ grid: ToneGrid) -> (fit: PhaseFit, nats: Float) {
        var fit = fit
        var known = terms(grid, isPhased: false, fit)
        for pass in 0..<PhaseSearch.passes {
            fit = fit.refined(known.terms, plan)
            if pass + 1 < PhaseSearch.passes { known = terms(grid, isPhased: true, fit) }
        }
        return (fit, terms(grid, isPhased: true, fit).nats)
    }

    /// Returns the fit that aligns the tones best if the tones of every symbol are known.
    func fit(_ grid: ToneGrid, tones: [Int]) -> PhaseFit {
        let terms = PhaseFit.terms(grid, tones: tones)
        let perSymbol = steps(PhaseSearch.greatestPerSymbol, across: layout.symbolCount)
        let one = PhaseFit(plan)
        let turns = SplitComplex(
            terms.map {
                PhaseFit.phasor(-(perSymbol[1] - perSymbol[0]) * one.turn(symbol: $0.symbol, tone: $0.tone))
            })
        var best = (fit: one, power: Float(-1))
        var powers = [Float](repeating: 0, count: perSymbol.count)
        for perTone in steps(PhaseSearch.greatestPerTone, across: plan.allToneCount) {
            let fit = PhaseFit(plan, perSymbol: perSymbol[0], perTone: perTone)
            var values = SplitComplex(
                terms.map { $0.value * fit.phasor(symbol: $0.symbol, tone: $0.tone).conjugate })
            Kernels.turnedPowers(&values, by: turns, into: &powers)
            for (place, power) in powers.enumerated() where power > best.power {
                best = (PhaseFit(plan, perSymbol: perSymbol[place], perTone: perTone), power)
            }
        }
        return best.fit.refined(terms, plan)
    }

    /// Returns the likeliest places of a grid of turns.
    func peaks(_ grid: ToneGrid) -> [PhaseFit] {
        let (likely, floors) = likelyTones(grid)
        let perSymbol = steps(PhaseSearch.greatestPerSymbol, across: layout.symbolCount)
        let perTone = steps(PhaseSearch.greatestPerTone, across: plan.allToneCount)
        var nats = [Float](repeating: 0, count: perSymbol.count * perTone.count)
        let weights = likely.map { exp(min($0.value.power * perPower + commonNats, PhaseSearch.mostNats)) }
        let terms = PhaseTerms(likely, PhaseFit(plan))
        let turns = terms.steps(perSymbol: perSymbol[1] - perSymbol[0])
        // A frame can be so strong that floats do not hold its likelihoods; scaled ones have their peaks in
        // the same places.
        let strongest = likely.reduce(Float.leastNormalMagnitude) { max($0, $1.value.power) }.squareRoot()
        let gain = min(2 * amplitude / spread, PhaseSearch.mostPhaseNats / strongest)
        nats.withUnsafeMutableBufferPointer { nats in
            for (row, delay) in perTone.enumerated() {
                let fit = PhaseFit(plan, perSymbol: perSymbol[0], perTone: delay)
                var turned = terms.turnedBack(by: fit, gain: gain)
                let row = row * perSymbol.count..<(row + 1) * perSymbol.count
                turned.likelihoods(
                    turns, weights: weights, floors: floors, tones: PhaseSearch.likelyTones,
                    into: UnsafeMutableBufferPointer(rebasing: nats[row]))
            }
        }
        func isPeak(_ place: Int) -> Bool {
            let (row, column) = (place / perSymbol.count, place % perSymbol.count)
            for i in max(0, row - 1)...min(perTone.count - 1, row + 1) {
                for j in max(0, column - 1)...min(perSymbol.count - 1, column + 1)
                where nats[i * perSymbol.count + j] > nats[place] { return false }
            }
            return true
        }
        return nats.indices.filter(isPeak).sorted { nats[$0] > nats[$1] }.prefix(PhaseSearch.peaks).map {
            PhaseFit(plan, perSymbol: perSymbol[$0 % perSymbol.count], perTone: perTone[$0 / perSymbol.count])
        }
    }

    private func steps(_ greatest: Double, across count: Int) -> [Double] {
        let half = Int((greatest * Double(count) / PhaseSearch.stepAcross).rounded(.up))
        return (-half...half).map { Double($0) * PhaseSearch.stepAcross / Double(count) }
    }

    /// Returns the strongest tones of each symbol, for sync symbols the sync tone alone; and the likelihood
    /// of all other tones, whatever their phase. `[symbolCount][likelyTones]`, `[symbolCount]`
    private func likelyTones(_ grid: ToneGrid) -> (terms: [PhaseFit.Term], floors: [Float]) {
        var terms = (0..<layout.symbolCount).flatMap { symbol in
            [PhaseFit.Term](
                repeating: PhaseFit.Term(value: .zero, symbol: symbol, tone: 0),
                count: PhaseSearch.likelyTones)
        }
        var floors = [Float](repeating: 1e-6, count: layout.symbolCount)
        for sync in layout.syncs {
            let place = sync.symbol * PhaseSearch.likelyTones
            let tone = sync.tone + TonePlan.toneCount * plan.subBand(ofSymbol: sync.symbol)
            // The term stands in every place alike, which equals a single one but for a constant.
            for i in place..<place + PhaseSearch.likelyTones {
                terms[i].tone = tone
                terms[i].value = grid.values[sync.symbol * grid.allTones + tone]
            }
        }
        let tones = TonePlan.toneCount
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * tones) { scratch in
            let powers = scratch.baseAddress!
            let (others, nats) = (powers + tones, powers + 2 * tones)
            for symbol in layout.dataSymbols {
                let first = tones * plan.subBand(ofSymbol: symbol)
                let row = symbol * grid.allTones + first
                grid.values.withUnsafeBufferPointer {
                    _ = Kernels.powers($0.baseAddress! + row, tones, into: powers)
                    unphased($0.baseAddress! + row, tones, into: nats)
                }
                Kernels.exponentials(nats, atMost: PhaseSearch.mostNats, tones, into: others)
                for i in 0..<PhaseSearch.likelyTones {
                    let tone = Kernels.indexOfMaximum(powers, tones)
                    powers[tone] = -1
                    others[tone] = 0
                    terms[symbol * PhaseSearch.likelyTones + i].tone = first + tone
                    terms[symbol * PhaseSearch.likelyTones + i].value = grid.values[row + tone]
                }
                floors[symbol] += Kernels.sum(others, tones)
            }
        }
        return (terms, floors)
    }

    /// Returns sync tones, and likely tones of data symbols under weights that sum up to 1; and the
    /// likelihood of all of them.
    private func terms(
        _ grid: ToneGrid, isPhased: Bool, _ fit: PhaseFit
    ) -> (terms: [PhaseFit.Term], nats: Float) {
        var terms: [PhaseFit.Term] = []
        var total: Float = 0
        let tones = TonePlan.toneCount
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * tones) { scratch in
            let nats = scratch.baseAddress!
            let shares = nats + tones
            for symbol in 0..<layout.symbolCount {
                let first = tones * plan.subBand(ofSymbol: symbol)
                let place = symbol * grid.allTones + first
                grid.values.withUnsafeBufferPointer {
                    let row = $0.baseAddress! + place
                    if isPhased {
                        phased(row, symbol, firstTone: first, tones, fit, into: nats)
                    } else {
                        unphased(row, tones, into: nats)
                    }
                }
                if let tone = syncTones[symbol] {
                    terms.append(
                        PhaseFit.Term(value: grid.values[place + tone], symbol: symbol, tone: first + tone))
                    total += nats[tone]
                    continue
                }
                total += nbk_shares(nats, shares, tones)
                for tone in 0..<tones where shares[tone] > PhaseSearch.leastWeight {
                    let value = grid.values[place + tone] * shares[tone]
                    terms.append(PhaseFit.Term(value: value, symbol: symbol, tone: first + tone))
                }
            }
        }
        return (terms, total)
    }
}
