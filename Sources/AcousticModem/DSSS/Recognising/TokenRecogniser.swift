import Signal

/// Recognises the frames of known tokens that are too faint to be decoded, where they are expected: all of
/// their chips are known, not only the pilots. They renew what is known of a sender, and never say that there
/// is a new one.
struct TokenRecogniser: Sendable {
    /// The page and the C library do without: the page has no room for this code.
    static var isOffered: Bool { FrameCanceller.isOffered }
    /// The time after its last decoded frame for which a token is known.
    private static let knownSeconds = 300.0
    /// The most senders that are known at a time; the one that was heard longest ago gives way.
    private static let mostSenders = 32

    private let band: Band
    private var senders: [KnownSender] = []
    /// The correlators, made when a token of their profile is first looked for.
    private var correlators: [(profile: DSSSProfile, correlator: FrameCorrelator)] = []

    init(band: Band) { self.band = band }

    /// Notes a frame that was decoded.
    mutating func note(_ report: DecodeReport, skippedSamples: Int64) {
        guard case .dsss(let profile) = report.profile.kind else { return }
        let start = FrameClock(profile: profile, skippedSamples: skippedSamples).start(of: report)
        if let index = senders.firstIndex(where: { $0.isSender(of: report) }) {
            senders[index].heard(report, start: start)
        } else {
            if senders.count == TokenRecogniser.mostSenders {
                let oldest = senders.indices.min { senders[$0].decodedStart < senders[$1].decodedStart }!
                senders.remove(at: oldest)
            }
            senders.append(KnownSender(report, profile, start: start))
        }
    }

    /// Moves the clock on; see ``FamilyReceiver/skip(samples:)``.
    mutating func skip(samples: Int64) {
        for index in senders.indices {
            senders[index].skip(samples: Double(samples) / Double(band.decimation))
        }
    }

    /// Looks for the frames that were expected and that no search has reported.
    ///
    /// - Parameters:
    ///   - settled: the end of the starts whose frames are reported.
    ///   - sounds: the sound of each channel without the frames heard, as far as `range` reaches.
    mutating func recognise(
        before settled: SamplePosition, skippedSamples: Int64,
        in sounds: (_ range: Range<SamplePosition>) -> [BasebandWindow], into reports: inout [DecodeReport]
    ) {
        let knownSamples = TokenRecogniser.knownSeconds * band.rateHz
        let end = Double(settled - band.samples(seconds: FrameCorrelator.reachSeconds))
        for index in senders.indices {
            while let start = senders[index].expectedStart, start < end,
                start < senders[index].decodedStart + knownSamples
            {
                if let report = look(index, start, skippedSamples, sounds) {
                    reports.append(report)
                } else {
                    senders[index].missed()
                }
            }
        }
        senders.removeAll { $0.decodedStart < end - knownSamples }
    }

    private mutating func correlator(_ profile: DSSSProfile) -> FrameCorrelator {
        if let known = correlators.first(where: { $0.profile == profile }) { return known.correlator }
        correlators.append((profile, FrameCorrelator(profile: profile)))
        return correlators.last!.correlator
    }

    /// Looks for the next frame of a sender. Returns its report if the evidence suffices.
    private mutating func look(
        _ index: Int, _ start: Double, _ skippedSamples: Int64,
        _ sounds: (_ range: Range<SamplePosition>) -> [BasebandWindow]
    ) -> DecodeReport? {
        let sender = senders[index]
        let correlator = correlator(sender.profile)
        guard
            let frame = sender.frame
                ?? correlator.expected(sender.token, lane: sender.lane, timeScale: sender.timeScale)
        else { return nil }
        senders[index].frame = frame
        let span = correlator.span(of: frame, start: start)
        let match = correlator.match(frame, start: start, in: sounds(span))
        guard match.nats > Thresholds.dsss.recognitionNats,
            match.dataNats > Thresholds.dsss.recognitionDataNats
        else { return nil }
        senders[index].recognised(start: match.start)
        return report(of: sender, match, skippedSamples: skippedSamples)
    }

    private func report(
        of sender: KnownSender, _ match: FrameCorrelator.Match, skippedSamples: Int64
    ) -> DecodeReport {
        let profile = sender.profile
        let timeScale = sender.timeScale + match.shiftHz / profile.carrierHz
        let strength = SignalMeasurement(frameEnergy: match.energy, profile: profile)
        var report = DecodeReport(
            token: sender.token, profile: WaveformProfile(profile),
            startSample: FrameClock(profile: profile, skippedSamples: skippedSamples).startSample(
                start: match.start, timeScale: timeScale),
            snrDecibels: strength.snrDecibels(profile: profile),
            ebN0Decibels: strength.ebN0Decibels(profile: profile, tokenByteCount: sender.token.count),
            speedMetersPerSecond: Float(timeScale * SearchGrid.soundSpeed), repeats: 1, lane: sender.lane)
        (report.channelIndex, report.isRenewal) = (match.channel, true)
        return report
    }
}
