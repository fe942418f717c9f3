import Coding
import Glibc
import Signal

/// The step from tones to a token: metrics under several models of arrival, list decoding, check bits, and
/// the acceptance gate. Opposite: ``FSKFrameEncoder``.
///
///     PhaseSearch ─▶ coherent metrics ─▶ list ─▶ its best path, new phases ─▶ …
///     unknown phases: energies, echoes as evidence ─▶ list
struct FSKFrameDecoder: Sendable {
    struct Frame: TokenFrame {
        var token: [UInt8]
        var tokenClass: TokenClass
        /// The nats of path and search beyond those that chance finds.
        var evidence: Float
        /// The tones of all symbols, counted through all sub-bands.
        var tones: [Int]
        var setting: FSKTracker.Setting
    }

    /// The result of one attempt.
    struct Attempt: Sendable {
        var frame: Frame?
        var evidence: Float = -.infinity
        /// The evidence that a frame read in this way needs.
        var neededNats = Thresholds.fsk.frameNats
        /// The greatest rarity of the likeliest paths (``PathEvidence``), little if out of step with a frame;
        /// `nil` if nothing was decoded.
        var rarity: Float?

        /// True if no frame was found yet and other ways to read the same tones may find one.
        var isWorthMore: Bool {
            frame == nil && rarity.map { $0 > Thresholds.fsk.triedRarity } ?? true
        }

        /// Keeps the better attempt: a frame before none, more evidence before less.
        mutating func keep(_ other: Attempt) {
            let isFrame = other.frame != nil
            let rarity = [rarity, other.rarity].compactMap { $0 }.max()
            if isFrame == (frame != nil) ? other.evidence > evidence : isFrame { self = other }
            self.rarity = rarity
        }
    }

    private static let listSize = 256
    /// The size of a list of which no path can be a frame, but whose first may teach the phases of the next
    /// one.
    private static let lessonSize = 4
    private static let margin: Float = 8
    private static let mostFits = 2
    private static let mostPhases = 2
    /// A model of the path for which a frame's phases are searched.
    struct PathModel: Sendable {
        var arrival: ArrivalModel
        /// The share of a symbol's energy that keeps its phase.
        var steadyShare: Float
        /// The nats of the phase search that earn a decoding.
        var threshold: Float

        /// The model of one path; fits are a little off, and hands are not steady.
        static let direct = PathModel(
            arrival: .direct, steadyShare: 0.95, threshold: Thresholds.fsk.phaseNats)
        static let room = PathModel(arrival: .room, steadyShare: 0.5, threshold: 0)
        static let diffuse = PathModel(arrival: .diffuse, steadyShare: 0.2, threshold: 0)
    }

    let profile: FSKProfile
    private var decoder: TrellisListDecoder
    private(set) var likelihood = ToneLikelihood()
    /// The doubts about the trial under way.
    var doubts = Doubts<Frame>()
    /// The layouts of each class, in order, and lane.
    private let layouts: [[FSKFrameLayout]]

    init(profile: FSKProfile) {
        self.profile = profile
        decoder = TrellisListDecoder(code: profile.code, longest: profile.dataCount(.long))
        layouts = TokenClass.allCases.map { tokenClass in
            (0..<FSKFrameLayout.laneCount).map {
                FSKFrameLayout(profile: profile, lane: $0, tokenClass: tokenClass)
            }
        }
    }

    func layout(_ tokenClass: TokenClass, lane: Int) -> FSKFrameLayout { layouts[tokenClass.index][lane] }

    /// Returns the energy of a symbol over the noise, for a frame that one path carries.
    mutating func strength(_ grid: ToneGrid, _ tokenClass: TokenClass, lane: Int) -> Float {
        likelihood.strength(grid, layout(tokenClass, lane: lane), .direct)
    }

    /// Decodes one setting by energies: under a direct path, then under rooms, whose echoes are evidence.
    ///
    /// - Parameter givesUp: true to leave the rooms out where the direct path is unlikely.
    mutating func decodeEnergies(
        _ grid: ToneGrid, _ reading: FSKReading, givesUp: Bool = false,
        statistics: inout ReceiverStatistics
    ) -> Attempt {
        var best = Attempt()
        for model in ArrivalModel.all where givesUp ? best.isWorthMore : best.frame == nil {
            let metrics = energyMetrics([grid], reading.layout, model)
            best.keep(listDecode(metrics, reading, &statistics).attempt)
        }
        return best
    }

    /// Decodes repeats of one frame: by their energies, then with the phases that the decoded tones give each
    /// of them.
    ///
    /// - Parameter last: the reading of the last one.
    mutating func decodeRepeats(
        _ grids: [ToneGrid], _ last: FSKReading, statistics: inout ReceiverStatistics
    ) -> Attempt {
        let layout = last.layout
        var reading = last
        reading.frameCount = grids.count
        var best = Attempt()
        for path in [PathModel.direct, .room, .diffuse] where best.frame == nil {
            var metrics = energyMetrics(grids, layout, path.arrival)
            reading.fitCount = 0
            var tones: [UInt8] = []
            for pass in 0...FSKFrameDecoder.mostFits where best.frame == nil {
                let decoded = listDecode(metrics, reading, &statistics)
                best.keep(decoded.attempt)
                guard decoded.path != tones, pass < FSKFrameDecoder.mostFits else { break }
                tones = decoded.path
                metrics = phasedMetrics(grids, layout, path, allTones(tones, layout))
                reading.fitCount = grids.count
            }
        }
        return best
    }

    private mutating func energyMetrics(
        _ grids: [ToneGrid], _ layout: FSKFrameLayout, _ model: ArrivalModel
    ) -> ToneMetrics {
        var sum = ToneMetrics(count: layout.dataSymbols.count, hasEchoes: model.hasEchoes)
        for grid in grids {
            let snr = likelihood.strength(grid, layout, model)
            sum.add(likelihood.metrics(grid, layout, model, snr: snr))
        }
        return sum
    }

    /// Returns metrics with the phases that the tones of every symbol have in each grid.
    private mutating func phasedMetrics(
        _ grids: [ToneGrid], _ layout: FSKFrameLayout, _ path: PathModel, _ tones: [Int]
    ) -> ToneMetrics {
        var sum = ToneMetrics(count: layout.dataSymbols.count, hasEchoes: false)
        for grid in grids {
            let snr = likelihood.strength(grid, layout, path.arrival)
            let search = PhaseSearch(layout, profile.tones, snr: snr, steadyShare: path.steadyShare)
            let fit = search.fit(grid, tones: tones)
            sum.add(
                likelihood.coherentMetrics(
                    grid, layout, fit, snr: snr, steadyShare: path.steadyShare))
        }
        return sum
    }

    /// Decodes with the phases that a search found about a setting, and then with better ones from the
    /// decoded tones.
    mutating func decodePhases(
        _ grid: ToneGrid, _ first: FSKReading, _ path: PathModel, statistics: inout ReceiverStatistics,
        demodulate: (FSKTracker.Setting) -> ToneGrid
    ) -> Attempt {
        let layout = first.layout
        var reading = first
        reading.fitCount = 1
        let snr = likelihood.strength(grid, layout, path.arrival)
        let search = PhaseSearch(layout, profile.tones, snr: snr, steadyShare: path.steadyShare)
        var best = Attempt()
        let fits = search.fits(grid).filter { $0.nats > path.threshold }
        for seed in fits.prefix(FSKFrameDecoder.mostPhases) where best.frame == nil {
            reading.setting = seed.fit.corrected(first.setting, profile.tones)
            var tuned = demodulate(reading.setting)
            var fit = search.refined(PhaseFit(profile.tones), tuned).fit
            var tones: [UInt8] = []
            for _ in 0..<FSKFrameDecoder.mostFits where best.frame == nil {
                let metrics = likelihood.coherentMetrics(
                    tuned, layout, fit, snr: snr, steadyShare: path.steadyShare)
                let decoded = listDecode(metrics, reading, &statistics)
                best.keep(decoded.attempt)
                guard decoded.path != tones else { break }
                tones = decoded.path
                let terms = PhaseFit.terms(tuned, tones: allTones(tones, layout))
                reading.setting = fit.refined(terms, profile.tones).corrected(
                    reading.setting, profile.tones)
                tuned = demodulate(reading.setting)
                fit = search.refined(PhaseFit(profile.tones), tuned).fit
            }
        }
        return best
    }

    /// Returns the tones of every symbol, from those of the data symbols. `[symbolCount]`
    func allTones(_ data: [UInt8], _ layout: FSKFrameLayout) -> [Int] {
        var tones = [Int](repeating: 0, count: layout.symbolCount)
        for sync in layout.syncs { tones[sync.symbol] = sync.tone }
        for (i, symbol) in layout.dataSymbols.enumerated() { tones[symbol] = Int(data[i]) }
        for symbol in tones.indices {
            tones[symbol] += TonePlan.toneCount * profile.tones.subBand(ofSymbol: symbol)
        }
        return tones
    }

    /// Runs one list decoding. Returns the likeliest path whose check holds, if the gate accepts it; and the
    /// likeliest path.
    mutating func listDecode(
        _ metrics: ToneMetrics, _ reading: FSKReading, _ statistics: inout ReceiverStatistics
    ) -> (attempt: Attempt, path: [UInt8]) {
        statistics.decodings += 1
        let evidence = PathEvidence(metrics, bitCount: metrics.count * profile.code.bitsPerStep)
        let gate = reading.gate
        let paths = decoder.decode(
            metrics, scrambler: reading.layout.scrambler, margin: FSKFrameDecoder.margin
        ) { nats in
            switch gate.verdict(evidence.evidence(ofPath: nats, .decoded)) {
            case .deepLook: FSKFrameDecoder.listSize
            case .quickLook: FSKFrameDecoder.lessonSize
            default: 1
            }
        }
        guard let first = paths.first else { return (Attempt(), []) }
        let posterior = ListPosterior(paths.lazy.map { $0.nats })
        for path in paths {
            let bits = path.bits(bitsPerStep: profile.code.bitsPerStep)
            var own = evidence.evidence(ofPath: path.nats, .checked)
            (own.posteriorNats, own.isDoubted) = (posterior.nats(path.nats), doubts.isDoubting)
            guard let token = token(bits, reading.tokenClass) else {
                doubts.count(bits, own, gate)
                continue
            }
            statistics.checksPassed += 1
            let verdict = gate.verdict(own)
            let frame = Frame(
                token: token, tokenClass: reading.tokenClass, evidence: own.nats,
                tones: allTones(path.tones, reading.layout), setting: reading.setting)
            if verdict.isFrame {
                return (
                    Attempt(frame: frame, evidence: own.nats, neededNats: gate.frame.nats), first.tones
                )
            }
            if verdict == .remember { doubts.frames.append(frame) } else { statistics.belowEvidence += 1 }
        }
        let likeliest = evidence.evidence(ofPath: first.nats, .decoded)
        return (
            Attempt(evidence: likeliest.nats, neededNats: gate.frame.nats, rarity: likeliest.rarity),
            first.tones
        )
    }

    /// Returns the token of a message, or `nil` if its check or the zeros after it fail.
    private func token(_ bits: [UInt8], _ tokenClass: TokenClass) -> [UInt8]? {
        let count = tokenClass.infoBitCount
        guard bits[count...].allSatisfy({ $0 == 0 }) else { return nil }
        return bits.withUnsafeBufferPointer {
            TokenField.decode(UnsafeBufferPointer(rebasing: $0[..<count]), tokenClass: tokenClass)
        }
    }
}
