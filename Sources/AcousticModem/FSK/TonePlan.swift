import Signal

/// The frequencies and the length of tones, common to profiles that share a search.
///
///     sub-band 0           sub-band 1           …         a symbol sends one of 64 tones of its sub-band;
///     |0|1|2| … |63|       |0|1|2| … |63|                 symbols take the sub-bands in turn
///     tones 1 / T apart, on whole bins of T: every symbol begins at the same phase
struct TonePlan: Sendable, Hashable {
    /// The band in which they are received; tones are counted from its centre.
    let band: Band
    /// The number of baseband samples in a symbol, a multiple of ``stepsPerSymbol``.
    let symbolSamples: Int
    /// The bin of the lowest tone, counted from the centre.
    let lowestBin: Int
    let subBandCount: Int

    static let toneCount = 64
    /// The number of searched windows that begin in each symbol.
    static let stepsPerSymbol = 8
    /// The silence put before the first sample, in symbols: a recording may begin within a frame.
    static let leadSymbols = 4
    /// The greatest time scale: closing speeds to ±1.5 m/s with ±1000 ppm of clock, or ±1.8 m/s without.
    static let greatestTimeScale = 0.0054

    var carrierHz: Double { band.centreHz }
    var basebandRateHz: Double { band.rateHz }
    var symbolSeconds: Double { Double(symbolSamples) / basebandRateHz }
    var spacingHz: Double { 1 / symbolSeconds }
    var stepSamples: Int { symbolSamples / TonePlan.stepsPerSymbol }
    var leadSamples: Int { TonePlan.leadSymbols * symbolSamples }
    /// The number of tones in all sub-bands.
    var allToneCount: Int { TonePlan.toneCount * subBandCount }
    /// The band from the lowest to the highest tone, with the skirts that hold 99 % of the energy.
    var bandHz: ClosedRange<Double> {
        frequencyHz(ofTone: 0) - spacingHz...frequencyHz(ofTone: allToneCount - 1) + spacingHz
    }

    /// - Parameter tone: the index counted through all sub-bands.
    func frequencyHz(ofTone tone: Int) -> Double { carrierHz + Double(lowestBin + tone) * spacingHz }

    func subBand(ofSymbol symbol: Int) -> Int { symbol % subBandCount }

    /// The plan for 18.5–20 kHz.
    static let nearUltrasonic = TonePlan(
        band: .nearUltrasonic, symbolSamples: 104, lowestBin: -30, subBandCount: 1)
    /// The plan for 1.25–5.75 kHz, with three sub-bands.
    static let audible = TonePlan(
        band: Band(centreHz: 150 * 48_000 / 2048, halfWidthHz: 2487.890625, decimation: 8),
        symbolSamples: 256, lowestBin: -96, subBandCount: 3)
    /// The plan for 350–3350 Hz, with two sub-bands.
    static let telephone = TonePlan(
        band: Band(centreHz: 79 * 48_000 / 2048, halfWidthHz: 1662.890625, decimation: 8), symbolSamples: 256,
        lowestBin: -64, subBandCount: 2)
}
