import Coding
import Signal

/// Tone metrics with the echoes of earlier symbols. The energy of echoes in a later window is evidence for
/// the decoder path whose symbols sent them; it is no interference.
///
///     window w − 2   window w − 1   window w          evidence for symbol d in window w: its own tone; in
///     ┃ c            ┃ b  ╷ c       ┃ a  ╷ b  . c     its window, tails of b and c; after it, its own tail
struct EchoMetrics {
    let grid: ToneGrid
    let layout: FSKFrameLayout
    let hasEchoes: Bool
    let own: ToneTable
    let ownAndTail1: ToneTable
    let tail1: ToneTable
    let tail2: ToneTable

    func make() -> ToneMetrics {
        var metrics = ToneMetrics(count: layout.dataSymbols.count, hasEchoes: hasEchoes)
        var syncTone = [Int](repeating: -1, count: layout.symbolCount + ToneGrid.tailWindows)
        var isData = [Bool](repeating: false, count: syncTone.count)
        for sync in layout.syncs { syncTone[sync.symbol] = sync.tone }
        for symbol in layout.dataSymbols { isData[symbol] = true }
        for index in layout.dataSymbols.indices {
            addOwn(index, to: &metrics)
            guard hasEchoes else { continue }
            addEarlier(index, to: &metrics)
            addKnownEcho(index, syncTone, to: &metrics)
            addOwnTail(index, syncTone, isData, to: &metrics)
        }
        return metrics
    }

    private func subBand(_ window: Int) -> Int { window % grid.subBandCount }

    private func energies(_ window: Int, subBand: Int) -> ArraySlice<Float> {
        let place = grid.place(window: window, subBand: subBand)
        return ArraySlice(grid.values[place..<place + TonePlan.toneCount].map { $0.power })
    }

    private func addOwn(_ index: Int, to metrics: inout ToneMetrics) {
        let symbol = layout.dataSymbols[index]
        for (tone, energy) in energies(symbol, subBand: subBand(symbol)).enumerated() {
            metrics.own[index * TonePlan.toneCount + tone] = own.ratio(energy)
        }
    }

    /// Adds the tails of the data symbols before, which the decoder's paths know.
    private func addEarlier(_ index: Int, to metrics: inout ToneMetrics) {
        let symbol = layout.dataSymbols[index]
        let row = index * TonePlan.toneCount
        let gap1 = index >= 1 ? symbol - layout.dataSymbols[index - 1] : .max
        let gap2 = index >= 2 ? symbol - layout.dataSymbols[index - 2] : .max
        let band1 = subBand(symbol - (gap1 == .max ? 0 : gap1))
        if gap1 <= 2 {
            let table = gap1 == 1 ? tail1 : tail2
            for (tone, energy) in energies(symbol, subBand: band1).enumerated() {
                metrics.echo1[row + tone] = table.ratio(energy)
            }
        }
        if gap2 == 2 {
            for (tone, energy) in energies(symbol, subBand: subBand(symbol - 2)).enumerated() {
                metrics.echo2[row + tone] = tail2.ratio(energy)
            }
        }
        let overlaps = gap1 == 1 && band1 == subBand(symbol)
        for (tone, energy) in energies(symbol, subBand: subBand(symbol)).enumerated() {
            metrics.again[row + tone] =
                overlaps
                ? ownAndTail1.ratio(energy) : metrics.own[row + tone] + metrics.echo1[row + tone]
        }
    }

    /// Removes the tail of a sync tone just before from the evidence: it is there anyway, and must not favour
    /// its tone.
    private func addKnownEcho(_ index: Int, _ syncTone: [Int], to metrics: inout ToneMetrics) {
        let symbol = layout.dataSymbols[index]
        guard symbol > 0, syncTone[symbol - 1] >= 0, subBand(symbol - 1) == subBand(symbol) else { return }
        let tone = syncTone[symbol - 1]
        let energy = grid.energy(window: symbol, subBand: subBand(symbol), tone: tone)
        let place = index * TonePlan.toneCount + tone
        let known = ownAndTail1.ratio(energy) - tail1.ratio(energy)
        metrics.again[place] += known - metrics.own[place]
        metrics.own[place] = known
    }

    /// Adds a symbol's own tail in later windows that belong to no data symbol.
    private func addOwnTail(
        _ index: Int, _ syncTone: [Int], _ isData: [Bool], to metrics: inout ToneMetrics
    ) {
        let symbol = layout.dataSymbols[index]
        for later in 1...2 where !isData[symbol + later] {
            let table = later == 1 ? tail1 : tail2
            let covered =
                syncTone[symbol + later] >= 0 && subBand(symbol + later) == subBand(symbol)
                ? syncTone[symbol + later] : -1
            for (tone, energy) in energies(symbol + later, subBand: subBand(symbol)).enumerated()
            where tone != covered {
                metrics.own[index * TonePlan.toneCount + tone] += table.ratio(energy)
                metrics.again[index * TonePlan.toneCount + tone] += table.ratio(energy)
            }
        }
    }
}
