import Signal

/// The frames that candidates turn out to be, and those that other receivers of the same sound have heard.
extension CandidateReader {
    /// Returns the frames accepted since the last call.
    mutating func takeUnclaimed() -> [FrameDeduplicator.Entry] {
        defer { unclaimed.removeAll(keepingCapacity: true) }
        return unclaimed
    }

    /// Adds frames that other receivers of the same sound have heard, and will report.
    mutating func claim(_ frames: [FrameDeduplicator.Entry]) {
        for frame in frames { deduplicator.claim(frame) }
    }

    /// Claims the frames that hold the token. Returns true if there is any.
    mutating func accept(_ frame: DecodedFrame, _ trial: Trial, isCertain: Bool = false) -> Bool {
        var heard = firstSegments(of: trial)
        if trial.frameCount > 1 {
            heard = heard.filter { $0.contains { decoder.match(frame, $0) > Thresholds.dsss.matchNats } }
        }
        heard.sort { $0[0].candidate.start < $1[0].candidate.start }
        guard let first = heard.first else { return false }
        let sent = decoder.layout(frame.tokenClass, lane: first[0].candidate.lane, segment: 0)
            .chips(ofCodedBits: frame.codedBits)
        // The report is that of the channel that hears the frame best.
        let views = first.map { (look: $0, measured: SignalMeasurement($0.chips, sent: sent)) }
        let (look, measured) = views.max { $0.measured.chipEnergy < $1.measured.chipEnergy }!
        var report = DecodeReport(
            token: frame.token, profile: WaveformProfile(profile),
            startSample: clock.startSample(look.candidate),
            snrDecibels: measured.snrDecibels(profile: profile),
            ebN0Decibels: measured.ebN0Decibels(profile: profile, tokenByteCount: frame.token.count),
            speedMetersPerSecond: Float(look.candidate.timeScale * SearchGrid.soundSpeed),
            repeats: heard.count, lane: look.candidate.lane)
        report.channelIndex = look.channel
        for (index, looks) in heard.enumerated() {
            let candidate = looks[0].candidate
            lookMemory?.forget(near: candidate.start, within: deduplicator.neighbourhood)
            let entry = FrameDeduplicator.Entry(
                start: candidate.start, lane: candidate.lane, evidence: frame.evidence,
                pilotScore: candidate.score, report: index == 0 ? report : nil,
                soundingPart: measured.soundingPart, isCertain: isCertain, isOfResidual: readsResidual)
            deduplicator.add(entry)
            if hasOthers { unclaimed.append(entry) }
        }
        return true
    }

    /// Returns the channels' looks at the first segment of each frame.
    private func firstSegments(of trial: Trial) -> [[Look]] {
        let perFrame = trial.looks.count / trial.frameCount
        return (0..<trial.frameCount).map { frame in
            trial.looks[frame * perFrame..<(frame + 1) * perFrame].filter { $0.segment == 0 }
        }
    }
}
