import Coding
import Glibc
import Signal

/// The evaluation of a grid of tones: the strength of its symbols, and the likelihood of each tone.
struct ToneLikelihood: Sendable {
    /// The range of symbol energies over the noise that are tried, in dB.
    private static let leastDecibels: Float = 3
    private static let stepDecibels: Float = 1
    private static let stepCount = 26
    private static let greatest: Float = 35

    /// Tables are made when first needed.
    private var tables: [TableKey: ToneTable] = [:]
    private let score: ToneTable
    private let faint: ToneTable

    init() {
        score = ToneTable(steady: 4, scattered: 0, greatest: 100)
        faint = ToneTable(steady: 0.7, scattered: 0.7, greatest: 100)
    }

    /// The steady and the scattered part of the energy.
    private struct TableKey: Hashable {
        var steady: Float
        var scattered: Float
    }

    private static func snr(step: Int) -> Float { pow(10, (leastDecibels + Float(step) * stepDecibels) / 10) }

    /// Returns the score of acquisition, computed from exact tones: sync tones, and data symbols regardless
    /// of their tones. Nats.
    func score(_ grid: ToneGrid, _ layout: FSKFrameLayout, symbols: Range<Int>) -> Float {
        sum(grid, layout, symbols: symbols, score)
    }

    /// Returns the score of one window: the ratio that it holds this tone. ``scoreOfAny(_:window:subBand:)``
    /// is the ratio for any tone of a sub-band.
    func score(_ grid: ToneGrid, window: Int, subBand: Int, tone: Int) -> Float {
        score.ratio(grid.energy(window: window, subBand: subBand, tone: tone))
    }

    func scoreOfAny(_ grid: ToneGrid, window: Int, subBand: Int) -> Float {
        ratioOfAny(grid, grid.place(window: window, subBand: subBand), score)
    }

    /// Returns the nats by which the sync symbols favour their own tones over any other tone; ln 64 a symbol
    /// at most.
    func contrast(_ grid: ToneGrid, _ layout: FSKFrameLayout) -> Float {
        layout.syncs.reduce(Float(0)) { nats, sync in
            let place = grid.place(window: sync.symbol, subBand: sync.symbol % grid.subBandCount)
            return nats + score.ratio(grid.values[place + sync.tone].power)
                - ratioOfAny(grid, place, score)
        }
    }

    /// Returns the likelihood of each tone of a data symbol, scaled to mean 1. `[dataCount][64]`
    func shares(_ grid: ToneGrid, _ layout: FSKFrameLayout) -> [Float] {
        layout.dataSymbols.flatMap { symbol -> [Float] in
            let place = grid.place(window: symbol, subBand: symbol % grid.subBandCount)
            let row = grid.values[place..<place + TonePlan.toneCount].map { faint.likelihood($0.power) }
            let mean = row.reduce(0, +) / Float(row.count)
            return row.map { $0 / mean }
        }
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
            total += ratioOfAny(grid, place, table)
        }
        return total
    }

    /// Returns the log ratio that any tone of a window was sent, against none.
    private func ratioOfAny(_ grid: ToneGrid, _ place: Int, _ table: ToneTable) -> Float {
        let tones = TonePlan.toneCount
        let sum = grid.values.withUnsafeBufferPointer {
            table.likelihoodSum(of: $0.baseAddress! + place, tones)
        }
        return log(sum / Float(tones))
    }

    /// Returns the likeliest symbol energy over the noise. It averages over data tones, so that every symbol
    /// counts.
    mutating func strength(
        _ grid: ToneGrid, _ layout: FSKFrameLayout, _ model: ArrivalModel
    ) -> Float {
        // Every table has a given energy at the same place.
        let tones = TonePlan.toneCount
        let first = snrTable(step: 0, model)
        let syncs = layout.syncs.map {
            let place = grid.place(window: $0.symbol, subBand: $0.symbol % grid.subBandCount) + $0.tone
            return first.places(of: grid.values[place...place])[0]
        }
        let data = layout.dataSymbols.flatMap {
            let place = grid.place(window: $0, subBand: $0 % grid.subBandCount)
            return first.places(of: grid.values[place..<place + tones])
        }
        var best = (snr: Float(1), nats: -Float.infinity)
        for step in 0..<ToneLikelihood.stepCount {
            let table = snrTable(step: step, model)
            var nats = syncs.reduce(Float(0)) { $0 + table.ratio(at: $1) }
            for symbol in layout.dataSymbols.indices {
                nats += log(
                    table.likelihoodSum(at: data, from: symbol * tones, count: tones) / Float(tones))
            }
            if nats > best.nats { best = (ToneLikelihood.snr(step: step), nats) }
        }
        return best.snr
    }

    private mutating func snrTable(step: Int, _ model: ArrivalModel) -> ToneTable {
        let snr = ToneLikelihood.snr(step: step)
        return table(steady: model.steady * snr, scattered: model.scattered * snr)
    }

    private mutating func table(steady: Float, scattered: Float) -> ToneTable {
        let key = TableKey(steady: steady, scattered: scattered)
        if let table = tables[key] { return table }
        let table = ToneTable(steady: steady, scattered: scattered, greatest: ToneLikelihood.greatest)
        tables[key] = table
        return table
    }

    /// Returns metrics for the trellis decoder under one model of arrival. Phases are unknown.
    mutating func metrics(
        _ grid: ToneGrid, _ layout: FSKFrameLayout, _ model: ArrivalModel, snr: Float
    ) -> ToneMetrics {
        let (steady, scattered) = (model.steady * snr, model.scattered * snr)
        let (tail1, tail2) = (model.tail1 * snr, model.tail2 * snr)
        return EchoMetrics(
            grid: grid, layout: layout, hasEchoes: model.hasEchoes,
            own: table(steady: steady, scattered: scattered),
            ownAndTail1: table(steady: steady, scattered: scattered + tail1),
            tail1: table(steady: 0, scattered: tail1), tail2: table(steady: 0, scattered: tail2)
        ).make()
    }

    /// Returns metrics where the phase of every symbol is known: the phase adds evidence for the coherent
    /// part of a tone.
    ///
    /// - Parameter steadyShare: the share of a symbol's energy that keeps the phase.
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
