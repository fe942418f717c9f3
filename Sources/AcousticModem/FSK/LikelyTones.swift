import Coding

/// The likelihood of each tone of each symbol: sync tones are known; data tones come from decoding so far.
struct LikelyTones {
    /// The share below which a tone is ignored.
    private static let least: Float = 1e-3
    /// The weight of a decoded path.
    private static let pathShare: Float = 0.5

    /// The shares; each row's sum is 1. `[symbolCount][64]`
    private(set) var shares: [Float]
    private let dataSymbols: [Int]

    var symbolCount: Int { shares.count / TonePlan.toneCount }

    init(_ layout: FSKFrameLayout) {
        dataSymbols = layout.dataSymbols
        shares = [Float](
            repeating: 1 / Float(TonePlan.toneCount), count: layout.symbolCount * TonePlan.toneCount)
        for sync in layout.syncs { set(sync.symbol) { $0 == sync.tone ? 1 : 0 } }
    }

    /// - Parameters:
    ///   - metrics: the metrics of the data symbols.
    ///   - confidence: the share of them that counts.
    ///   - path: tones that were decoded, or none. `[dataCount]`
    mutating func take(_ metrics: ToneMetrics, confidence: Float, path: [UInt8]) {
        let tones = TonePlan.toneCount
        let data = metrics.shares(confidence: confidence)
        let own = path.isEmpty ? 1 : 1 - LikelyTones.pathShare
        for (i, symbol) in dataSymbols.enumerated() {
            set(symbol) { own * data[i * tones + $0] }
            if !path.isEmpty { shares[symbol * tones + Int(path[i])] += LikelyTones.pathShare }
        }
    }

    private mutating func set(_ symbol: Int, _ share: (Int) -> Float) {
        for tone in 0..<TonePlan.toneCount { shares[symbol * TonePlan.toneCount + tone] = share(tone) }
    }

    /// Calls `body` for each likely tone of a symbol.
    @inline(__always)
    func forEach(of symbol: Int, _ body: (_ tone: Int, _ share: Float) -> Void) {
        for tone in 0..<TonePlan.toneCount {
            let share = shares[symbol * TonePlan.toneCount + tone]
            if share > LikelyTones.least { body(tone, share) }
        }
    }
}
