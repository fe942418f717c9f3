import Coding
import Glibc
import Signal

/// What a grid of tones says: how strong its symbols are, and how likely each tone.
struct ToneLikelihood: Sendable {
    /// Symbol energies over the noise that are tried, dB.
    private static let leastDecibels: Float = 3
    private static let stepDecibels: Float = 1
    private static let stepCount = 26
    private static let greatest: Float = 160

    /// Made when first needed. `[model][step]`
    private var tables: [ArrivalModel: [ToneTable]] = [:]
    private let score: ToneTable

    init() { score = ToneTable(steady: 4, scattered: 0, greatest: 100) }

    private static func snr(step: Int) -> Float { pow(10, (leastDecibels + Float(step) * stepDecibels) / 10) }

    /// What acquisition scores, of exact tones: sync tones, and data symbols whatever they send. Nats.
    func score(_ grid: ToneGrid, _ layout: FSKFrameLayout, symbols: Range<Int>) -> Float {
        sum(grid, layout, symbols: symbols, score)
    }

    private func sum(
        _ grid: ToneGrid, _ layout: FSKFrameLayout, symbols: Range<Int>, _ table: ToneTable
    ) -> Float {
        var total: Float = 0
        for sync in layout.syncs where symbols.contains(sync.symbol) {
            let subBand = sync.symbol % grid.subBandCount
            total += table.ratio(grid.energy(window: sync.symbol, subBand: subBand, tone: sync.tone))
        }
        for symbol in layout.dataSymbols where symbols.contains(symbol) {
            let place = grid.place(window: symbol, subBand: symbol % grid.subBandCount)
            var sum: Float = 0
            for value in grid.values[place..<place + TonePlan.toneCount] {
                sum += table.likelihood(value.power)
            }
            total += log(sum / Float(TonePlan.toneCount))
        }
        return total
    }

    /// The likeliest symbol energy over the noise: data tones are averaged over, so that every symbol has its say.
    mutating func strength(
        _ grid: ToneGrid, _ layout: FSKFrameLayout, _ model: ArrivalModel
    ) -> Float {
        let tables = tables(model)
        let all = 0..<layout.symbolCount
        let best = tables.indices.map { ($0, sum(grid, layout, symbols: all, tables[$0])) }.max {
            $0.1 < $1.1
        }!
        return ToneLikelihood.snr(step: best.0)
    }

    private mutating func tables(_ model: ArrivalModel) -> [ToneTable] {
        if let tables = tables[model] { return tables }
        let made = (0..<ToneLikelihood.stepCount).map { step in
            let snr = ToneLikelihood.snr(step: step)
            return ToneTable(
                steady: model.steady * snr, scattered: model.scattered * snr,
                greatest: ToneLikelihood.greatest)
        }
        tables[model] = made
        return made
    }

    /// Metrics for the trellis decoder under one model of arrival. Phases are unknown.
    mutating func metrics(
        _ grid: ToneGrid, _ layout: FSKFrameLayout, _ model: ArrivalModel, snr: Float
    ) -> ToneMetrics {
        func table(_ steady: Float, _ scattered: Float) -> ToneTable {
            ToneTable(steady: steady * snr, scattered: scattered * snr, greatest: ToneLikelihood.greatest)
        }
        return EchoMetrics(
            grid: grid, layout: layout, hasEchoes: model.hasEchoes,
            own: table(model.steady, model.scattered),
            ownAndTail1: table(model.steady, model.scattered + model.tail1),
            tail1: table(0, model.tail1), tail2: table(0, model.tail2)
        ).make()
    }

    /// Metrics where the phase of every symbol is known: what the coherent part of a tone explains counts as such.
    ///
    /// - Parameter steadyShare: of a symbol's energy, what keeps the phase.
    func coherentMetrics(
        _ grid: ToneGrid, _ layout: FSKFrameLayout, _ fit: PhaseFit, snr: Float, steadyShare: Float
    ) -> ToneMetrics {
        var metrics = ToneMetrics(count: layout.dataSymbols.count, hasEchoes: false)
        let amplitude = (snr * steadyShare).squareRoot()
        let spread = 1 + snr * (1 - steadyShare)
        let constant = -log(spread)
        for (i, symbol) in layout.dataSymbols.enumerated() {
            let subBand = symbol % grid.subBandCount
            let place = grid.place(window: symbol, subBand: subBand)
            for tone in 0..<TonePlan.toneCount {
                let value = grid.values[place + tone]
                let expected =
                    fit.phasor(symbol: symbol, tone: subBand * TonePlan.toneCount + tone) * amplitude
                metrics.own[i * TonePlan.toneCount + tone] =
                    constant + value.power - (value - expected).power / spread
            }
        }
        return metrics
    }
}
