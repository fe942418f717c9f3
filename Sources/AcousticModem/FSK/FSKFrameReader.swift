import Signal

/// The step from exact settings of a candidate to its frame: it tries lengths, phases, energies, and repeats.
struct FSKFrameReader: Sendable {
    /// The number of exact settings that are decoded.
    private static let settings = 3
    /// The range of closing speeds within which repeats of one token are combined, m/s.
    private static let repeatSpeed = 4.0
    /// The steps about the place where the search found a walker's frame.
    private static let spreadSteps = [0, -2, 2]
    private static let rememberedLooks = 48

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

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout FSKFrameReader) {
        swap(&tracker, &other.tracker)
        swap(&decoder, &other.decoder)
    }

    /// Returns the lengths that a frame may have, the longest first. The shortest is always among them;
    /// longer ones are if their symbols go on sounding, as far as they have come in.
    mutating func likelyClasses(_ trial: FSKTrial) -> [TokenClass] {
        let setting = trial.settings[0]
        let samples = Double(trial.sound.baseband.end) - setting.start
        let there = Int(samples / Double(profile.tones.symbolSamples)) - 1
        var classes: [TokenClass] = [.short]
        var known = profile.searchedSymbolCount
        for tokenClass in [TokenClass.medium, .long] {
            let layout = decoder.layout(tokenClass, lane: trial.lane)
            let grid = tracker.grid(setting, symbolCount: layout.symbolCount, trial.sound).grid
            let symbols = known..<max(known, min(layout.symbolCount, there))
            guard decoder.likelihood.score(grid, layout, symbols: symbols) > Thresholds.fsk.longerNats
            else { break }
            classes.insert(tokenClass, at: 0)
            known = layout.symbolCount
        }
        return classes
    }

    /// Decodes the likeliest settings of a candidate, the longest length first.
    mutating func read(
        _ trial: FSKTrial, _ classes: [TokenClass], statistics: inout ReceiverStatistics
    ) -> FSKFrameDecoder.Attempt {
        var best = FSKFrameDecoder.Attempt()
        for tokenClass in classes where best.frame == nil {
            best.keep(read(trial, tokenClass, &statistics))
        }
        return best
    }

    /// Decodes with phases, then by energies.
    private mutating func read(
        _ trial: FSKTrial, _ tokenClass: TokenClass, _ statistics: inout ReceiverStatistics
    ) -> FSKFrameDecoder.Attempt {
        let layout = decoder.layout(tokenClass, lane: trial.lane)
        // The copy has scratch memory of its own after the first use.
        var tuner = tracker
        var best = FSKFrameDecoder.Attempt()
        let settings = trial.settings.prefix(FSKFrameReader.settings)
        for (rank, setting) in settings.enumerated() where best.frame == nil {
            let reading = FSKReading(setting: setting, tokenClass: tokenClass, layout: layout)
            let grid = tracker.grid(setting, symbolCount: layout.symbolCount, trial.sound).grid
            let isEnough = setting.score > Thresholds.fsk.energyNats
            let paths: [FSKFrameDecoder.PathModel] =
                rank == 0 && isEnough ? [.direct, .room, .diffuse] : [.direct]
            for path in paths where best.isWorthMore {
                best.keep(
                    decoder.decodePhases(grid, reading, path, statistics: &statistics) { setting in
                        tuner.grid(setting, symbolCount: layout.symbolCount, trial.sound).grid
                    })
            }
            // The likeliest setting is also decoded with echoes.
            guard isEnough, best.frame == nil, rank == 0 || best.isWorthMore else { break }
            best.keep(decoder.decodeEnergies(grid, reading, statistics: &statistics))
        }
        return best
    }

    /// Decodes a frame of which one piece was found: that piece alone, then with the likeliest other ones.
    mutating func readPieces(
        _ trial: FSKTrial, statistics: inout ReceiverStatistics
    ) -> (frame: FSKFrameDecoder.Frame, splice: FSKSplice)? {
        let piece = trial.candidate
        let tokenClass = TokenClass.short
        let layout = decoder.layout(tokenClass, lane: trial.lane)
        let known = FSKTracker.Setting(
            start: piece.start, timeScale: piece.timeScale, score: piece.score)
        let search = FSKSpliceSearch(known, layout, profile.tones, trial.sound, &tracker)
        for splice in search.splices() {
            let grids = [splice.first, splice.last].map {
                tracker.grid($0, symbolCount: layout.symbolCount, trial.sound).grid
            }
            var reading = FSKReading(setting: splice.first, tokenClass: tokenClass, layout: layout)
            reading.frameCount = 2
            reading.fitCount = 1  // the cut
            let attempt = decoder.decodeEnergies(
                splice.grid(grids[0], grids[1]), reading, givesUp: true, statistics: &statistics)
            if let frame = attempt.frame { return (frame, splice) }
        }
        return nil
    }

    /// Decodes a frame that did not decode alone with earlier looks, or remembers it for later ones.
    mutating func combine(
        _ trial: FSKTrial, _ tokenClass: TokenClass, statistics: inout ReceiverStatistics
    ) -> (frame: FSKFrameDecoder.Frame, earlier: [FSKLook])? {
        let (setting, layout) = (trial.settings[0], decoder.layout(tokenClass, lane: trial.lane))
        let grid = tracker.grid(setting, symbolCount: layout.symbolCount, trial.sound).grid
        var look = FSKLook(
            candidate: trial.candidate, tokenClass: tokenClass, grid: grid,
            likelihoods: decoder.likelihood.shares(grid, layout))
        look.candidate.start = setting.start
        look.candidate.timeScale = setting.timeScale
        look.candidate.score = setting.score
        let partners = memory.partners(of: look) {
            let nats = look.agreement(with: $0)
            return nats > Thresholds.fsk.agreementNats ? nats : nil
        }
        let reading = FSKReading(setting: setting, tokenClass: tokenClass, layout: layout)
        for count in partners.indices {
            let earlier = Array(partners[...count])
            let attempt = decoder.decodeRepeats(
                [grid] + earlier.map { $0.grid }, reading, statistics: &statistics)
            if let frame = attempt.frame { return (frame, earlier) }
        }
        memory.remember(look)
        return nil
    }

    /// Decodes a walker's frames, one or repeats of it that were found together: at the place of the search,
    /// and a little off.
    private mutating func readSpread(
        _ repeats: FSKRepeatSearch.Candidate, _ sounds: [FSKSound], _ statistics: inout ReceiverStatistics
    ) -> FSKFrameDecoder.Attempt {
        let layout = decoder.layout(repeats.tokenClass, lane: repeats.frames[0].lane)
        var best = FSKFrameDecoder.Attempt()
        for steps in FSKFrameReader.spreadSteps where best.frame == nil {
            var settings: [FSKTracker.Setting] = []
            var grids: [ToneGrid] = []
            for (frame, sound) in zip(repeats.frames, sounds) {
                let start = frame.start + Double(steps * profile.tones.stepSamples)
                settings.append(FSKTracker.Setting(start: start, timeScale: 0, score: frame.score))
                grids.append(
                    tracker.grid(settings.last!, symbolCount: layout.symbolCount, sound).grid)
            }
            let reading = FSKReading(
                setting: settings[0], tokenClass: repeats.tokenClass, layout: layout)
            best.keep(decoder.decodeSpread(grids, reading, statistics: &statistics))
            if best.evidence < Thresholds.fsk.spreadEvidence { break }
        }
        if let frame = best.frame {
            best.frame!.setting = tracker.strongest(frame.setting, tones: frame.tones, sounds[0])
        }
        return best
    }

    /// Decodes repeats that were found together, of which none was heard alone.
    ///
    /// - Parameter sounds: the sound about each frame, in order.
    mutating func read(
        _ repeats: FSKRepeatSearch.Candidate, _ sounds: [FSKSound], statistics: inout ReceiverStatistics
    ) -> FSKFrameDecoder.Attempt {
        if repeats.frames[0].isSpread { return readSpread(repeats, sounds, &statistics) }
        let settings = zip(repeats.frames, sounds).map { tracker.refine($0, $1, least: -.infinity)[0] }
        guard FSKFrameReader.mayRepeat(settings) else { return FSKFrameDecoder.Attempt() }
        let layout = decoder.layout(repeats.tokenClass, lane: repeats.frames[0].lane)
        let grids = zip(settings, sounds).map {
            tracker.grid($0, symbolCount: layout.symbolCount, $1).grid
        }
        let reading = FSKReading(setting: settings[0], tokenClass: repeats.tokenClass, layout: layout)
        return decoder.decodeRepeats(grids, reading, statistics: &statistics)
    }

    /// Returns true if frames that were found together, read exactly, are still likely to be a token's: where
    /// sound comes and goes, many are found by chance.
    private static func mayRepeat(_ settings: [FSKTracker.Setting]) -> Bool {
        let thresholds = Thresholds.fsk
        let score = settings.reduce(0) { $0 + max($1.score, thresholds.repeatFrameNats) }
        let contrast = settings.reduce(0) { $0 + $1.contrast }
        return score + thresholds.repeatContrastShare * contrast >= thresholds.repeatRank
            && contrast >= min(0, thresholds.repeatContrast + thresholds.repeatContrastPerNat * score)
    }
}
