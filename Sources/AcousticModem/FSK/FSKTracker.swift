import Signal

/// Candidate → exact starts and Dopplers, the likeliest first.
///
/// Two passes of neighbours around the best on the score of acquisition, read exactly.
struct FSKTracker: Sendable {
    struct Setting: Sendable {
        var start: Double
        var timeScale: Double
        var score: Float
    }

    private let profile: FSKProfile
    private let layouts: [FSKFrameLayout]
    private var demodulator: FSKDemodulator
    private let likelihood = ToneLikelihood()
    /// What is scored stands at most this far over the floor.
    static let loudCeiling: Float = 50

    init(profile: FSKProfile) {
        self.profile = profile
        layouts = (0..<FSKFrameLayout.laneCount).map {
            FSKFrameLayout(profile: profile, lane: $0, tokenClass: .short)
        }
        let longest = FSKFrameLayout(profile: profile, lane: 0, tokenClass: .long).symbolCount
        demodulator = FSKDemodulator(plan: profile.tones, longest: longest)
    }

    /// Baseband samples that are needed before a start and after it, for frames of one class.
    func reach(_ tokenClass: TokenClass) -> (before: Int, after: Int) {
        let symbols = FSKFrameLayout(profile: profile, lane: 0, tokenClass: tokenClass).symbolCount
        let span = Double((symbols + ToneGrid.tailWindows + 1) * profile.tones.symbolSamples)
        return (2 * profile.tones.symbolSamples, Int(span * (1 + TonePlan.greatestTimeScale)) + 64)
    }

    /// - Parameter least: nats without which the second pass is not worth it.
    mutating func refine(
        _ candidate: FSKCandidate, _ baseband: BasebandWindow, gains: [Float], least: Float
    ) -> [Setting] {
        let symbol = Double(profile.tones.symbolSamples)
        let quarterTone =
            profile.tones.spacingHz / 4 / profile.tones.frequencyHz(ofTone: profile.tones.allToneCount / 2)
        var settings: [Setting] = []
        var loudness: Float?
        var centre = (start: candidate.start, timeScale: candidate.timeScale)
        for pass in 0..<2 {
            let (time, doppler) =
                pass == 0 ? (symbol / 16, quarterTone) : (symbol / 32, quarterTone / 2)
            for later in -1...1 {
                for faster in -1...1 where pass == 0 || later != 0 || faster != 0 {
                    var setting = Setting(
                        start: centre.start + Double(later) * time,
                        timeScale: centre.timeScale + Double(faster) * doppler, score: 0)
                    var grid = raw(
                        setting, symbolCount: profile.searchedSymbolCount, baseband, gains: gains)
                    // One for all: each grid's own would hide which is best.
                    loudness = loudness ?? grid.loudness(ceiling: FSKTracker.loudCeiling)
                    grid.scale(by: 1 / loudness!.squareRoot())
                    setting.score = likelihood.score(
                        grid, layouts[candidate.lane], symbols: 0..<profile.searchedSymbolCount)
                    settings.append(setting)
                }
            }
            settings.sort { $0.score > $1.score }
            if settings[0].score < least { break }
            centre = (settings[0].start, settings[0].timeScale)
        }
        return settings
    }

    /// The tones of a frame, and how much louder than the decoder likes they were.
    mutating func grid(
        _ setting: Setting, symbolCount: Int, _ baseband: BasebandWindow, gains: [Float]
    ) -> (grid: ToneGrid, loudness: Float) {
        var grid = raw(setting, symbolCount: symbolCount, baseband, gains: gains)
        let loudness = grid.loudness(ceiling: FSKTracker.loudCeiling)
        if loudness > 1 { grid.scale(by: 1 / loudness.squareRoot()) }
        return (grid, loudness)
    }

    private mutating func raw(
        _ setting: Setting, symbolCount: Int, _ baseband: BasebandWindow, gains: [Float]
    ) -> ToneGrid {
        var grid = ToneGrid(symbolCount: symbolCount, subBandCount: profile.tones.subBandCount)
        demodulator.demodulate(
            baseband, start: setting.start, timeScale: setting.timeScale, symbolCount: symbolCount,
            gains: gains, into: &grid)
        return grid
    }
}
