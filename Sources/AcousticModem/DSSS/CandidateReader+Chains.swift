import Signal

/// The repeats before and after candidates that are evident, but did not decode.
extension CandidateReader {
    /// The most chains that are followed at a time.
    private static let mostChains = 4

    /// The baseband samples before a start that a chain reads.
    var chainReach: Int {
        guard RepeatChain.isOffered, profile.segmentCount == 1 else { return 0 }
        return Int(Double(RepeatChain.reach) * repeatPeriodSamples * 1.006)
    }

    private var repeatPeriodSamples: Double { profile.repeatPeriodSeconds * profile.band.rateHz }

    /// Begins a chain with a trial that did not decode, unless another chain with more evidence holds its
    /// frames.
    mutating func beginChain(_ trial: Trial, evidence: Float) {
        guard RepeatChain.isOffered, profile.segmentCount == 1, !readsResidual,
            evidence > Thresholds.dsss.chainedNats
        else { return }
        let chain = RepeatChain(trial, evidence: evidence, periodSamples: repeatPeriodSamples)
        let likes = chains.indices.filter {
            chains[$0].shares(frameOf: chain, within: deduplicator.neighbourhood)
        }
        if likes.contains(where: { chains[$0].evidence >= evidence }) { return }
        for index in likes.reversed() { chains.remove(at: index) }
        if chains.count < CandidateReader.mostChains { chains.append(chain) }
    }

    /// Looks at the repeats that have been heard by now, and decodes each chain with those found.
    mutating func followChains(_ basebands: [BasebandWindow], _ channels: ChannelSet) {
        guard RepeatChain.isOffered, !chains.isEmpty else { return }
        // Other channels may have been chosen meanwhile.
        chains.removeAll { $0.trial.channelCount != channels.count }
        var followed: [RepeatChain] = []
        swap(&followed, &chains)
        for index in followed.indices.reversed() where follow(&followed[index], basebands, channels) {
            followed.remove(at: index)
        }
        swap(&followed, &chains)
    }

    /// Returns true if a chain has ended.
    private mutating func follow(
        _ chain: inout RepeatChain, _ basebands: [BasebandWindow], _ channels: ChannelSet
    ) -> Bool {
        let reach = Tracker.reach(profile: profile)
        let baseband = basebands[channels[0]]
        var hasGrown = false
        while let start = chain.takeStart(reach: reach.after, before: baseband.end) {
            guard SamplePosition(start) - reach.before >= baseband.start,
                !deduplicator.isClaimed(near: start)
            else { continue }
            let looks = looks(at: start, of: chain.trial.candidate, basebands, channels)
            guard looks.reduce(0, { $0 + $1.candidate.score }) > Thresholds.dsss.chainLinkNats else {
                continue
            }
            chain.add(looks)
            hasGrown = true
        }
        if hasGrown {
            let result = decode(chain.trial)
            if result.isHeard { return true }
            chain.evidence = result.evidence
        }
        return !chain.isOpen
    }

    /// Returns the channels' looks at a frame that may begin at `start`.
    private mutating func looks(
        at start: Double, of found: Candidate, _ basebands: [BasebandWindow], _ channels: ChannelSet
    ) -> [Look] {
        let plan = BurstPlan.frame(of: profile).heard(onChannels: channels.count)
        var candidate = found
        candidate.start = start
        candidate = tracker.refine(candidate, plan, basebands, channels)
        let pilots = decoder.layout(.short, lane: candidate.lane, segment: 0).knownPilots
        return channels.indices.map { place in
            let chips = tracker.chips(candidate, plan, segment: 0, basebands[channels[place]])
            var own = candidate
            own.score = decoder.pilotNats(chips, pilots: pilots, of: candidate)
            return Look(candidate: own, segment: 0, channel: channels[place], chips: chips)
        }
    }
}
