import Signal

/// Exact settings of a candidate → its frame: how long it may be, by phases, by energies, with its repeats.
struct FSKFrameReader: Sendable {
    /// Nats of a setting that earn a decoding by energies; noise has them once in a minute.
    private static let energyThreshold: Float = 9
    /// Exact settings that are decoded.
    private static let settings = 3
    /// Nats of two looks that they may hold the same tones.
    private static let leastAgreement: Float = 3.5
    /// Closing speeds within which repeats of one token are combined, m/s.
    private static let repeatSpeed = 4.0
    /// About where the search found a walker's frame.
    private static let spreadSteps = [0, -2, 2]
    private static let rememberedLooks = 48
    /// Of frames that were found together, nats that each one counts for at least: one of them may not be there.
    private static let leastRepeatScore: Float = -8
    /// Nats of all of them, contrast counting for a share; and those of contrast, the more the louder they are.
    private static let leastRepeatRank: Float = 4
    private static let repeatContrastShare: Float = 0.75
    private static let leastRepeatContrast: Float = -10
    private static let loudRepeatShare: Float = 0.2
    /// Nats of the symbols beyond the shortest frame that speak for a longer token.
    private static let longerThreshold: Float = 3

    /// Rarity of the likeliest path (``PathGate``), without which other phases and settings are not tried.
    private static let leastRarity: Float = -8

    let profile: FSKProfile
    var tracker: FSKTracker
    var decoder: FSKFrameDecoder
    var memory: LookMemory<FSKLook>

    init(profile: FSKProfile) {
        self.profile = profile
        tracker = FSKTracker(profile: profile)
        decoder = FSKFrameDecoder(profile: profile)
        memory = LookMemory(
            capacity: FSKFrameReader.rememberedLooks, rateHz: profile.tones.basebandRateHz,
            frameSamples: Double(profile.searchedSymbolCount * profile.tones.symbolSamples),
            greatestChange: FSKFrameReader.repeatSpeed / SearchGrid.soundSpeed)
    }

    /// The lengths that a frame may have, the longest first: the shortest goes with all others, and longer ones go on
    /// sounding, as far as they have come in.
    mutating func likelyClasses(
        _ setting: FSKTracker.Setting, _ lane: Int, _ baseband: BasebandWindow, gains: [Float]
    ) -> [TokenClass] {
        let there = Int((Double(baseband.end) - setting.start) / Double(profile.tones.symbolSamples)) - 1
        var classes: [TokenClass] = [.short]
        var known = profile.searchedSymbolCount
        for tokenClass in [TokenClass.medium, .long] {
            let layout = decoder.layout(tokenClass, lane: lane)
            let grid = tracker.grid(setting, symbolCount: layout.symbolCount, baseband, gains: gains).grid
            let symbols = known..<max(known, min(layout.symbolCount, there))
            guard decoder.likelihood.score(grid, layout, symbols: symbols) > FSKFrameReader.longerThreshold
            else { break }
            classes.insert(tokenClass, at: 0)
            known = layout.symbolCount
        }
        return classes
    }

    /// What the likeliest settings of a candidate decode to: of the longest length first.
    mutating func read(
        _ settings: [FSKTracker.Setting], _ classes: [TokenClass], _ lane: Int,
        _ baseband: BasebandWindow, gains: [Float], statistics: inout ReceiverStatistics
    ) -> FSKFrameDecoder.Attempt {
        var best = FSKFrameDecoder.Attempt()
        for tokenClass in classes where best.frame == nil {
            best.keep(read(settings, tokenClass, lane, baseband, gains: gains, statistics: &statistics))
        }
        return best
    }

    /// With phases, then by energies.
    private mutating func read(
        _ settings: [FSKTracker.Setting], _ tokenClass: TokenClass, _ lane: Int,
        _ baseband: BasebandWindow, gains: [Float], statistics: inout ReceiverStatistics
    ) -> FSKFrameDecoder.Attempt {
        let layout = decoder.layout(tokenClass, lane: lane)
        // Its scratch memory is its own after the first use.
        var tuner = tracker
        var best = FSKFrameDecoder.Attempt()
        func isWorthMore() -> Bool {
            best.frame == nil && best.rarity.map { $0 > FSKFrameReader.leastRarity } ?? true
        }
        for (rank, setting) in settings.prefix(FSKFrameReader.settings).enumerated() where best.frame == nil {
            let grid = tracker.grid(
                setting, symbolCount: layout.symbolCount, baseband, gains: gains
            ).grid
            let isEnough = setting.score > FSKFrameReader.energyThreshold
            let paths: [FSKFrameDecoder.PathModel] =
                rank == 0 && isEnough ? [.direct, .room, .diffuse] : [.direct]
            for path in paths where isWorthMore() {
                best.keep(
                    decoder.decodePhases(
                        grid, setting, tokenClass, lane: lane, path, statistics: &statistics
                    ) { setting in
                        tuner.grid(setting, symbolCount: layout.symbolCount, baseband, gains: gains).grid
                    })
            }
            // Echoes, too, of the likeliest setting.
            guard isEnough, best.frame == nil, rank == 0 || isWorthMore() else { break }
            best.keep(
                decoder.decodeEnergies(
                    grid, setting, tokenClass, lane: lane, statistics: &statistics))
        }
        return best
    }

    /// A frame that did not decode alone: with earlier looks, or remembered for later ones.
    mutating func combine(
        _ candidate: FSKCandidate, _ setting: FSKTracker.Setting, _ tokenClass: TokenClass,
        _ baseband: BasebandWindow, gains: [Float], statistics: inout ReceiverStatistics
    ) -> (frame: FSKFrameDecoder.Frame, earlier: [FSKLook])? {
        let layout = decoder.layout(tokenClass, lane: candidate.lane)
        let grid = tracker.grid(setting, symbolCount: layout.symbolCount, baseband, gains: gains).grid
        var look = FSKLook(
            candidate: candidate, tokenClass: tokenClass, grid: grid,
            likelihoods: decoder.likelihood.shares(grid, layout))
        look.candidate.start = setting.start
        look.candidate.timeScale = setting.timeScale
        look.candidate.score = setting.score
        let partners = memory.partners(of: look) {
            let nats = look.agreement(with: $0)
            return nats > FSKFrameReader.leastAgreement ? nats : nil
        }
        for count in partners.indices {
            let earlier = Array(partners[...count])
            let attempt = decoder.decodeRepeats(
                [grid] + earlier.map { $0.grid }, setting, tokenClass, lane: candidate.lane,
                statistics: &statistics)
            if let frame = attempt.frame { return (frame, earlier) }
        }
        memory.remember(look)
        return nil
    }

    /// A walker's frames, one or repeats of it that were found together: where the search found them, and a little off.
    private mutating func readSpread(
        _ frames: [FSKCandidate], _ tokenClass: TokenClass, _ baseband: BasebandWindow, gains: [[Float]],
        statistics: inout ReceiverStatistics
    ) -> FSKFrameDecoder.Attempt {
        let lane = frames[0].lane
        let symbolCount = decoder.layout(tokenClass, lane: lane).symbolCount
        var best = FSKFrameDecoder.Attempt()
        for steps in FSKFrameReader.spreadSteps where best.frame == nil {
            var settings: [FSKTracker.Setting] = []
            var grids: [ToneGrid] = []
            for (frame, gains) in zip(frames, gains) {
                let start = frame.start + Double(steps * profile.tones.stepSamples)
                settings.append(FSKTracker.Setting(start: start, timeScale: 0, score: frame.score))
                let grid = tracker.grid(
                    settings.last!, symbolCount: symbolCount, baseband, gains: gains
                ).grid
                grids.append(grid)
            }
            best.keep(
                decoder.decodeSpread(grids, settings[0], tokenClass, lane: lane, statistics: &statistics))
            if best.evidence < FSKFrameDecoder.leastSpreadEvidence { break }
        }
        if let frame = best.frame {
            best.frame!.setting = tracker.strongest(
                frame.setting, tones: frame.tones, baseband, gains: gains[0])
        }
        return best
    }

    /// Repeats that were found together, of which none was heard alone.
    mutating func read(
        _ repeats: FSKRepeatSearch.Candidate, _ baseband: BasebandWindow, gains: [[Float]],
        statistics: inout ReceiverStatistics
    ) -> FSKFrameDecoder.Attempt {
        if repeats.frames[0].isSpread {
            return readSpread(
                repeats.frames, repeats.tokenClass, baseband, gains: gains, statistics: &statistics)
        }
        let settings = zip(repeats.frames, gains).map {
            tracker.refine($0, baseband, gains: $1, least: -.infinity)[0]
        }
        guard FSKFrameReader.mayRepeat(settings) else { return FSKFrameDecoder.Attempt() }
        let lane = repeats.frames[0].lane
        let symbolCount = decoder.layout(repeats.tokenClass, lane: lane).symbolCount
        let grids = zip(settings, gains).map {
            tracker.grid($0, symbolCount: symbolCount, baseband, gains: $1).grid
        }
        return decoder.decodeRepeats(
            grids, settings[0], repeats.tokenClass, lane: lane, statistics: &statistics)
    }

    /// Whether frames that were found together, read exactly, are still likely to be a token's: where sound comes and goes,
    /// chance has many.
    private static func mayRepeat(_ settings: [FSKTracker.Setting]) -> Bool {
        let score = settings.reduce(0) { $0 + max($1.score, leastRepeatScore) }
        let contrast = settings.reduce(0) { $0 + $1.contrast }
        return score + repeatContrastShare * contrast >= leastRepeatRank
            && contrast >= min(0, leastRepeatContrast + loudRepeatShare * score)
    }
}
