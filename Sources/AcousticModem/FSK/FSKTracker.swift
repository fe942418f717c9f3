import Signal

/// The step from a candidate to exact starts and Dopplers, the likeliest first.
///
/// It computes acquisition's score exactly: half a symbol to either side where the sound is loud, then in two
/// passes over the neighbours of the best setting.
struct FSKTracker: Sendable {
    struct Setting: Sendable {
        var start: Double
        var timeScale: Double
        var score: Float
        /// The value of ``FSKCandidate/contrast``, computed exactly.
        var contrast: Float = 0
    }

    private let profile: FSKProfile
    private let layouts: [FSKFrameLayout]
    /// The number of symbols of a frame of each class, in order.
    private let symbolCounts: [Int]
    private var demodulator: FSKDemodulator
    private let likelihood = ToneLikelihood()
    /// The ceiling over the floor to which loud grids are scaled before they are scored.
    static let loudCeiling: Float = 50
    /// The loudness over that ceiling from which the search cannot tell a step from one half a symbol off,
    /// where each window holds parts of two tones. A codec that leaves tones out makes it worse.
    private static let loud: Float = 1.5
    /// The weight of the contrast for loud grids, where sync tones tell the settings apart better.
    static let loudContrastShare: Float = 4

    init(profile: FSKProfile) {
        self.profile = profile
        layouts = (0..<FSKFrameLayout.laneCount).map {
            FSKFrameLayout(profile: profile, lane: $0, tokenClass: .short)
        }
        symbolCounts = TokenClass.allCases.map {
            FSKFrameLayout(profile: profile, lane: 0, tokenClass: $0).symbolCount
        }
        demodulator = FSKDemodulator(
            plan: profile.tones, longest: symbolCounts.max()! + 2 * FSKSplice.reachSymbols(profile.tones))
    }

    /// Returns the baseband samples that are needed before a start and after it, for frames of one class.
    func reach(_ tokenClass: TokenClass) -> (before: Int, after: Int) {
        let symbols = symbolCounts[tokenClass.index]
        let span = Double((symbols + ToneGrid.tailWindows + 1) * profile.tones.symbolSamples)
        return (2 * profile.tones.symbolSamples, Int(span * (1 + TonePlan.greatestTimeScale)) + 64)
    }

    /// - Parameter least: the nats below which the second pass is not worth it.
    mutating func refine(
        _ candidate: FSKCandidate, _ sound: FSKSound, least: Float
    ) -> [Setting] {
        let symbol = Double(profile.tones.symbolSamples)
        let quarterTone =
            profile.tones.spacingHz / 4 / profile.tones.frequencyHz(ofTone: profile.tones.allToneCount / 2)
        // All grids share one loudness: each grid's own would hide which is best.
        let first = Setting(start: candidate.start, timeScale: candidate.timeScale, score: 0)
        let grid = raw(first, symbolCount: profile.searchedSymbolCount, sound)
        let loudness = grid.loudness(ceiling: FSKTracker.loudCeiling)
        let isLoud = loudness > FSKTracker.loud
        func rank(_ setting: Setting) -> Float {
            setting.score + (isLoud ? FSKTracker.loudContrastShare * setting.contrast : 0)
        }
        var settings = [scored(first, candidate.lane, grid, loudness)]
        for eighths in isLoud ? [-4, -3, -2, 2, 3, 4] : [] {
            var setting = first
            setting.start += Double(eighths) * symbol / 8
            settings.append(scored(setting, candidate.lane, sound, loudness))
        }
        for pass in 0..<2 {
            let centre = settings.max { rank($0) < rank($1) }!
            if pass > 0, centre.score < least { break }
            let (time, doppler) =
                pass == 0 ? (symbol / 16, quarterTone) : (symbol / 32, quarterTone / 2)
            for later in -1...1 {
                for faster in -1...1 where later != 0 || faster != 0 {
                    var setting = centre
                    setting.start += Double(later) * time
                    setting.timeScale += Double(faster) * doppler
                    settings.append(scored(setting, candidate.lane, sound, loudness))
                }
            }
        }
        let own = settings[0]
        settings.sort { rank($0) > rank($1) }
        guard isLoud else { return settings }
        // The echoes of a room may favour later starts, by up to a symbol.
        if abs(own.start - settings[0].start) > symbol / 8 { settings.insert(own, at: 1) }
        var earlier = settings[0]
        earlier.start -= symbol
        settings.insert(scored(earlier, candidate.lane, sound, loudness), at: 1)
        return settings
    }

    /// Returns the setting at whose time scale known tones have most energy: a walker's direct path.
    mutating func strongest(
        _ setting: Setting, tones: [Int], _ sound: FSKSound
    ) -> Setting {
        let halfTone =
            profile.tones.spacingHz / 2 / profile.tones.frequencyHz(ofTone: profile.tones.allToneCount / 2)
        let reach = Int(TonePlan.greatestTimeScale / halfTone)
        var best = (setting: setting, energy: Float(0))
        for halfTones in -reach...reach {
            var setting = setting
            setting.timeScale = Double(halfTones) * halfTone
            let grid = raw(setting, symbolCount: tones.count, sound)
            let energy = grid.energies(of: tones).reduce(0, +)
            if energy > best.energy { best = (setting, energy) }
        }
        return best.setting
    }

    private mutating func scored(
        _ setting: Setting, _ lane: Int, _ sound: FSKSound, _ loudness: Float
    ) -> Setting {
        let grid = raw(setting, symbolCount: profile.searchedSymbolCount, sound)
        return scored(setting, lane, grid, loudness)
    }

    private func scored(_ setting: Setting, _ lane: Int, _ grid: ToneGrid, _ loudness: Float) -> Setting {
        var (setting, grid) = (setting, grid)
        grid.scale(by: 1 / loudness.squareRoot())
        setting.score = likelihood.score(
            grid, layouts[lane], symbols: 0..<profile.searchedSymbolCount)
        setting.contrast = likelihood.contrast(grid, layouts[lane])
        return setting
    }

    /// Returns the tones of a frame, scaled down where they are too loud for the decoder, and the loudness
    /// they had.
    mutating func grid(
        _ setting: Setting, symbolCount: Int, _ sound: FSKSound
    ) -> (grid: ToneGrid, loudness: Float) {
        var grid = raw(setting, symbolCount: symbolCount, sound)
        let loudness = grid.loudness(ceiling: FSKTracker.loudCeiling)
        if loudness > 1 { grid.scale(by: 1 / loudness.squareRoot()) }
        return (grid, loudness)
    }

    private mutating func raw(
        _ setting: Setting, symbolCount: Int, _ sound: FSKSound
    ) -> ToneGrid {
        var grid = ToneGrid(symbolCount: symbolCount, subBandCount: profile.tones.subBandCount)
        demodulator.demodulate(sound, setting, symbolCount: symbolCount, into: &grid)
        return grid
    }
}
