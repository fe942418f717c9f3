import Coding
import Signal

/// A decoded frame whose check bits hold, with the evidence against noise.
struct DecodedFrame: TokenFrame, Hashable {
    var token: [UInt8]
    var tokenClass: TokenClass
    /// The log likelihood ratio of pilots and code against noise, less the ratio that a search over every
    /// codeword finds in noise, in nats.
    var evidence: Float
    /// True if no other reading of the sound comes near.
    var isCertain: Bool
    var codedBits: [UInt8]
}

/// Chips → token: makes soft bits under several channel hypotheses, decodes them by lists, and applies check
/// bits and the acceptance gate. Opposite: ``DSSSFrameEncoder``.
struct DSSSFrameDecoder: Sendable {
    /// The effort of a decoding. Each level is for candidates that the level before left undecided.
    enum Effort: Sendable {
        /// The likeliest profile, one coherence time, a list of 4.
        case glance
        /// Two coherence times, a list of 8.
        case quick
        /// More profiles and coherence times, a list of 32, and decided chips as further pilots. If the
        /// result is evident but holds no check, a long list decodes the soft bits with the most evidence,
        /// and then the mean over the coherence times of the likelier channel.
        case deep

        fileprivate var listSize: Int {
            switch self {
            case .glance: 4
            case .quick: 8
            case .deep: usualList
            }
        }

        /// The time constants of the channel estimate, in seconds; `nil` for the whole segment.
        fileprivate var coherences: [Double?] {
            switch self {
            case .glance: [0.35]
            case .quick: [nil, 0.35]
            case .deep: [nil, 0.35, 0.14, 0.07]
            }
        }

        fileprivate var iterations: Int { self == .deep ? 3 : 1 }
    }

    /// The result of decoding one candidate.
    struct Attempt: Sendable {
        var frame: DecodedFrame?
        /// The most evidence of any decoding, whether its check held or not. It decides about a deep attempt.
        var evidence: Float
        /// The token class of that decoding.
        var tokenClass = TokenClass.short
    }

    private static let usualList = 32
    /// The size of a long list. With 32 paths a tenth of the frames about the threshold lose the likeliest
    /// word on the way; 2048 paths find no more frames than these.
    private static let longList = 256
    /// The weight of a decided chip; a pilot has 1.
    private static let decidedWeight: Float = 0.5
    /// Returns the nats of pilots below which a token of a class could not be decoded anyway.
    private static func leastPilotNats(_ tokenClass: TokenClass) -> Float {
        switch tokenClass {
        case .short: 0
        case .medium: Thresholds.dsss.mediumPilotNats
        case .long: Thresholds.dsss.longPilotNats
        }
    }

    private let profile: DSSSProfile
    private let gate = AcceptanceGate.dsss()
    private var demodulator: DSSSDemodulator
    /// The decoders, one for each class, and the layouts, one for each class, lane and segment. Both are made
    /// at their first use.
    private var decoders: [PolarListDecoder?]
    private var layouts: [SegmentLayout?]

    init(profile: DSSSProfile) {
        self.profile = profile
        demodulator = DSSSDemodulator(profile: profile)
        decoders = Array(repeating: nil, count: TokenClass.allCases.count)
        layouts = Array(
            repeating: nil, count: TokenClass.allCases.count * PilotPattern.laneCount * profile.segmentCount)
    }

    mutating func layout(_ tokenClass: TokenClass, lane: Int, segment: Int) -> SegmentLayout {
        let place = (tokenClass.index * PilotPattern.laneCount + lane) * profile.segmentCount + segment
        if let layout = layouts[place] { return layout }
        let layout = SegmentLayout(profile: profile, lane: lane, segment: segment, tokenClass: tokenClass)
        layouts[place] = layout
        return layout
    }

    /// Decodes all looks at one token jointly.
    mutating func decode(
        _ detections: inout Detections, _ effort: Effort, only: TokenClass? = nil,
        statistics: inout ReceiverStatistics
    ) -> Attempt {
        var best = Attempt(frame: nil, evidence: -.infinity)
        for tokenClass in only.map({ [$0] }) ?? TokenClass.allCases
        where detections.trial.pilotNats >= DSSSFrameDecoder.leastPilotNats(tokenClass) {
            var attempt = decode(&detections, tokenClass, effort, &statistics)
            attempt.tokenClass = tokenClass
            if attempt.frame != nil { return attempt }
            if attempt.evidence > best.evidence { best = attempt }
        }
        return best
    }

    private mutating func decode(
        _ detections: inout Detections, _ tokenClass: TokenClass, _ effort: Effort,
        _ statistics: inout ReceiverStatistics
    ) -> Attempt {
        // Deep decodings are rare, so the memory of their lists is not kept.
        defer { if effort == .deep { decoders[tokenClass.index] = nil } }
        let looks = detections.looks
        let layouts = looks.map { layout(tokenClass, lane: $0.candidate.lane, segment: $0.segment) }
        var best = Attempt(frame: nil, evidence: -.infinity)
        // These are used by a deep decoding alone.
        var (bestBits, sumBits) = ([SoftBit](), [SoftBit]())
        for isOther in effort == .deep ? [false, true] : [false] {
            for coherence in effort.coherences {
                let hypotheses = looks.map {
                    DSSSFrameDecoder.hypothesis(of: $0.candidate, isOther: isOther, coherence, profile)
                }
                var known = layouts.map { $0.knownPilots }
                for iteration in 0..<effort.iterations {
                    let bits = softBits(&detections, layouts, known, hypotheses, isFirst: iteration == 0)
                    let attempt = listDecode(
                        bits, tokenClass, listSize: effort.listSize, &detections, &statistics)
                    if attempt.frame != nil { return attempt }
                    if effort == .deep, iteration == 0, !isOther { DSSSFrameDecoder.add(bits, to: &sumBits) }
                    if attempt.evidence > best.evidence { (best, bestBits) = (attempt, bits) }
                    if attempt.evidence < Thresholds.dsss.iteratedNats { break }
                    if iteration + 1 < effort.iterations {
                        let word = decoders[tokenClass.index]!.codeword(rank: 0)
                        for index in known.indices {
                            known[index].add(
                                codedBits: word, layout: layouts[index],
                                weight: DSSSFrameDecoder.decidedWeight)
                        }
                    }
                }
            }
        }
        guard effort == .deep, best.evidence > Thresholds.dsss.evidentNats else { return best }
        let share = 1 / Float(effort.coherences.count)
        for i in sumBits.indices { sumBits[i] *= share }
        let last = longListDecode([bestBits, sumBits], tokenClass, &detections, &statistics)
        return last.frame != nil ? last : best
    }

    private static func add(_ bits: [SoftBit], to sum: inout [SoftBit]) {
        if sum.isEmpty { sum = bits } else { for i in bits.indices { sum[i] += bits[i] } }
    }

    /// Returns the soft bits of all looks together, in the code's order.
    ///
    /// - Parameter isFirst: true if the known chips are the pilots alone.
    private mutating func softBits(
        _ detections: inout Detections, _ layouts: [SegmentLayout], _ known: [KnownChips],
        _ hypotheses: [ChannelHypothesis], isFirst: Bool
    ) -> [SoftBit] {
        var bits = [SoftBit](repeating: 0, count: profile.codeLength)
        var scale = SoftScale()
        for (index, layout) in layouts.enumerated() {
            let soft =
                isFirst
                ? detections.soft(index, known[index], hypotheses[index], &demodulator)
                : demodulator.detect(
                    detections.looks[index].chips, known: known[index], hypotheses[index])
            DSSSDemodulator.addBits(of: soft, layout, to: &bits)
            scale.add(soft, pilots: layout.pilots)
        }
        let factor = scale.factor
        for i in bits.indices { bits[i] *= factor }
        return bits
    }

    /// Returns the channel hypothesis of the search. If `isOther`, a room becomes a single path, and a single
    /// path becomes the direct half of a room.
    private static func hypothesis(
        of candidate: Candidate, isOther: Bool, _ coherence: Double?, _ profile: DSSSProfile
    ) -> ChannelHypothesis {
        let isSinglePath = candidate.profileIndex == 0
        let energy = candidate.pilotEnergy * (isOther && isSinglePath ? 2 : 1)
        return ChannelHypothesis(
            profileIndex: isOther ? (isSinglePath ? 1 : 0) : candidate.profileIndex,
            coherenceSeconds: coherence, chipEnergy: energy / Float(profile.pilots.chipCount))
    }

    /// Returns the evidence of one segment by itself for a word that was decoded from several: ½ N ρ², in
    /// nats. A segment without the word reaches 10 once in 10⁵.
    mutating func match(_ frame: DecodedFrame, _ look: Look) -> Float {
        let layout = layout(frame.tokenClass, lane: look.candidate.lane, segment: look.segment)
        var bits = [SoftBit](repeating: 0, count: profile.codeLength)
        let soft = demodulator.detect(
            look.chips, known: layout.knownPilots,
            DSSSFrameDecoder.hypothesis(of: look.candidate, isOther: false, 0.35, profile))
        DSSSDemodulator.addBits(of: soft, layout, to: &bits)
        return ListedPaths.match(frame.codedBits, bits)
    }

    /// Returns the evidence of a segment's pilots under a candidate's delay profile and energy, in nats.
    func pilotNats(_ chips: [Complex], pilots: KnownChips, of candidate: Candidate) -> Float {
        demodulator.pilotNats(chips, pilots: pilots, of: candidate)
    }

    /// Runs one list decoding.
    private mutating func listDecode(
        _ bits: [SoftBit], _ tokenClass: TokenClass, listSize: Int, _ detections: inout Detections,
        _ statistics: inout ReceiverStatistics
    ) -> Attempt {
        if decoders[tokenClass.index] == nil {
            let code = PolarCode(length: profile.codeLength, infoCount: tokenClass.infoBitCount)
            decoders[tokenClass.index] = PolarListDecoder(code: code, largestList: DSSSFrameDecoder.usualList)
        }
        statistics.decodings += 1
        decoders[tokenClass.index]!.decode(bits, listSize: listSize)
        return likeliest(
            of: ListedPaths(decoders[tokenClass.index]!, bits, tokenClass), tokenClass, &detections,
            &statistics)
    }

    /// Decodes `readings` one after the other until a check holds, with a list in which the likeliest word
    /// hardly ever gets lost. The list's memory, some megabytes, is seldom needed.
    private func longListDecode(
        _ readings: [[SoftBit]], _ tokenClass: TokenClass, _ detections: inout Detections,
        _ statistics: inout ReceiverStatistics
    ) -> Attempt {
        let listSize = DSSSFrameDecoder.longList
        var decoder = PolarListDecoder(code: decoders[tokenClass.index]!.code, largestList: listSize)
        var attempt = Attempt(frame: nil, evidence: -.infinity)
        for bits in readings where attempt.frame == nil {
            // A long list takes as long as this many usual ones.
            statistics.decodings += Int64(listSize / DSSSFrameDecoder.usualList)
            decoder.decode(bits, listSize: listSize)
            let paths = ListedPaths(decoder, bits, tokenClass)
            guard paths.codeNats(rank: 0) > Thresholds.dsss.longListCodeNats else { continue }
            attempt = likeliest(of: paths, tokenClass, &detections, &statistics)
        }
        return attempt
    }

    /// Returns the likeliest path whose check holds, if the gate accepts it. Paths that the gate doubts, and
    /// those that only their check kept out, are added to the detections.
    private func likeliest(
        of paths: ListedPaths, _ tokenClass: TokenClass, _ detections: inout Detections,
        _ statistics: inout ReceiverStatistics
    ) -> Attempt {
        var evidence = detections.evidence
        evidence.nats = evidence.pilotNats + paths.codeNats(rank: 0)
        let best = Attempt(frame: nil, evidence: evidence.nats)
        let likelihoods = paths.likelihoods
        let posterior = ListPosterior(likelihoods)
        for rank in 0..<paths.count {
            let infoBits = paths.infoBits(rank: rank)
            evidence.nats = evidence.pilotNats + paths.codeNats(rank: rank)
            evidence.posteriorNats = posterior.nats(likelihoods[rank])
            guard let token = TokenField.decode(infoBits, tokenClass: tokenClass) else {
                detections.doubts.count(infoBits, evidence, gate)
                continue
            }
            statistics.checksPassed += 1
            let verdict = gate.verdict(evidence)
            let frame = DecodedFrame(
                token: token, tokenClass: tokenClass, evidence: evidence.nats,
                isCertain: verdict == .certain, codedBits: paths.codeword(rank: rank))
            if verdict.isFrame { return Attempt(frame: frame, evidence: evidence.nats) }
            if verdict == .remember {
                detections.doubts.frames.append(frame)
            } else {
                statistics.belowEvidence += 1
            }
        }
        return best
    }
}
