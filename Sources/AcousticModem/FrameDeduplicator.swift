/// A log of the frames heard lately. It holds a frame back until no better hypothesis of it can come, reports
/// it once, and knows which starts are claimed. A frame is reported once even if it is heard at two places
/// (``ReportedFrame``).
struct FrameDeduplicator: Sendable {
    struct Entry: Sendable {
        var start: Double
        var lane: Int
        var evidence: Float
        var pilotScore: Float
        /// The report; `nil` if the frame belongs to a combination that is reported elsewhere.
        var report: DecodeReport?
        /// The part of the frame that holds its energy; all of it is 0..<1.
        var soundingPart: Range<Float> = 0..<1
        /// True if nothing still to come can replace it.
        var isCertain = false
        var isReported = false
        /// True if it was heard in the sound without the frames heard before.
        var isOfResidual = false

        /// Returns true if both report the same token. A claimed frame has no report, and is never a view of
        /// another one.
        func hasToken(of other: Entry) -> Bool {
            guard let token = report?.token else { return false }
            return token == other.report?.token
        }
    }

    private var entries: [Entry] = []
    /// The frames reported lately, of which another view may still come.
    private var reported: [ReportedFrame] = []
    /// The distance in baseband samples, an echo tail, within which hypotheses are about one frame.
    let neighbourhood: Double

    /// The sample rate of the baseband.
    private let rateHz: Double

    /// The distances between views of one frame: a frame of several segments also looks like one that begins
    /// some segments earlier or later.
    private let aliasShifts: [Double]

    init(neighbourhood: Double, rateHz: Double, segmentSpacing: Double = 0, segmentCount: Int = 1) {
        (self.neighbourhood, self.rateHz) = (neighbourhood, rateHz)
        aliasShifts = (1 - segmentCount..<segmentCount).filter { $0 != 0 }.map { Double($0) * segmentSpacing }
    }

    /// Returns true if a frame of more pilot nats than `score` was in the air within `span` of `start`.
    ///
    /// - Parameter horizon: frames that begin later do not count, so that frames heard early change nothing.
    func hasStronger(
        than score: Float, near start: Double, within span: Double, before horizon: Double = .infinity
    ) -> Bool {
        entries.contains {
            abs($0.start - start) < span && $0.start < horizon && $0.pilotScore > score
        }
    }

    /// Returns true if any frame has been heard near `start`.
    func isClaimed(near start: Double) -> Bool { entries.contains { abs($0.start - start) < neighbourhood } }

    /// Returns true if a candidate is only a weaker view of a frame already heard.
    func covers(_ candidate: Candidate) -> Bool {
        entries.contains { entry in
            let distance = candidate.start - entry.start
            if abs(distance) < neighbourhood {
                return isWeaker(candidate.score, than: entry)
                    || abs(distance) < Thresholds.reports.sameStartSamples
            }
            return candidate.score < entry.pilotScore
                && aliasShifts.contains { abs(distance - $0) < neighbourhood }
        }
    }

    /// Does the same for a search without segments.
    func covers(start: Double, score: Float, lane: Int) -> Bool {
        entries.contains {
            abs(start - $0.start) < neighbourhood && ($0.lane == lane || isWeaker(score, than: $0))
        }
    }

    /// Returns true if a candidate of a residual is what is left of a frame already heard.
    func isRest(_ candidate: Candidate) -> Bool {
        entries.contains {
            $0.lane == candidate.lane
                && abs($0.start - candidate.start) < Thresholds.reports.sameStartSamples
        }
    }

    private func isWeaker(_ score: Float, than entry: Entry) -> Bool {
        score < Thresholds.reports.weakerShare * entry.pilotScore
    }

    /// Adds a frame, or improves the entry that it is another view of.
    mutating func add(_ entry: Entry) {
        guard let twin = twin(of: entry) else {
            entries.append(entry)
            return
        }
        if entry.evidence > entries[twin].evidence && !entries[twin].isReported { entries[twin] = entry }
    }

    /// Adds a frame that is reported elsewhere, unless it is known already.
    mutating func claim(_ entry: Entry) {
        guard twin(of: entry) == nil else { return }
        var claimed = entry
        (claimed.report, claimed.isReported) = (nil, true)
        entries.append(claimed)
    }

    private func twin(of entry: Entry) -> Int? {
        entries.firstIndex {
            abs($0.start - entry.start) < neighbourhood
                && ($0.lane == entry.lane && !entry.isOfResidual || $0.hasToken(of: entry))
        }
    }

    /// Returns the reports of frames that started before `position` or are certain, in order, each once.
    mutating func settle(before position: Double) -> [DecodeReport] {
        var due: [Entry] = []
        for index in entries.indices
        where !entries[index].isReported && (entries[index].start < position || entries[index].isCertain) {
            entries[index].isReported = true
            due.append(entries[index])
        }
        // The view of a frame with the most evidence comes first and is the one reported.
        if due.count > 1 { due.sort { $0.evidence > $1.evidence } }
        var reports: [DecodeReport] = []
        for entry in due {
            guard let report = entry.report else { continue }
            let frame = ReportedFrame(
                startSeconds: entry.start / rateHz, durationSeconds: report.durationSeconds,
                lane: entry.lane, token: report.token, soundingPart: entry.soundingPart)
            guard !reported.contains(where: { $0.isTwin(of: frame) }) else { continue }
            reported.append(frame)
            reports.append(report)
        }
        return reports.sorted { $0.startSample < $1.startSample }
    }

    /// Drops entries that begin before `position`; nothing that begins there is added any more.
    mutating func forget(before position: Double) {
        entries.removeAll { $0.isReported && $0.start < position }
        reported.removeAll { $0.reachSeconds < position / rateHz }
    }
}
