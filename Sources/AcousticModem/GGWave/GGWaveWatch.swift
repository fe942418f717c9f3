import Signal

/// A start marker and the messages that may follow it.
struct GGWaveWatch: Sendable {
    let start: SamplePosition
    let agreement: Float
    private let gate = AcceptanceGate.ggwave()
    private var pending: [Pending]
    private var best: GGWaveMessageReader.Finding?

    private struct Pending: Sendable {
        var profile: GGWaveProfile
        /// The length of the message in bytes; `nil` until the first bytes are read.
        var byteCount: Int?
        /// The position that the sound must reach before the next reading.
        var due: SamplePosition
    }

    /// The number of lengths tried for each profile.
    private static let mostLengths = 3
    /// The samples that alignment may add.
    private static let slack = 5120

    init(start: SamplePosition, agreement: Float, profiles: [GGWaveProfile]) {
        self.start = start
        self.agreement = agreement
        pending = profiles.map { profile in
            let chunks = GGWaveMessageReader.headerChunkCount(profile.waveform)
            let end = start + GGWaveProtocol.markerSamples + chunks * profile.waveform.samplesPerChunk
            return Pending(profile: profile, due: end + GGWaveWatch.slack)
        }
    }

    var isOver: Bool { pending.isEmpty }

    /// Returns true if a message heard shares bins with this one.
    func isNear(_ report: DecodeReport) -> Bool {
        pending.contains { WaveformProfile($0.profile).bandHz.overlaps(report.profile.bandHz) }
    }

    /// Reads what should be complete by `end`. Returns the message once no better one can come.
    mutating func advance(
        to end: SamplePosition, _ history: SampleHistory, _ reader: inout GGWaveMessageReader,
        _ statistics: inout ReceiverStatistics
    ) -> GGWaveMessageReader.Finding? {
        while let index = pending.firstIndex(where: { $0.due <= end }) {
            let next = pending.remove(at: index)
            let hypothesis = GGWaveMessageReader.Hypothesis(
                profile: next.profile, start: start, agreement: agreement)
            if let byteCount = next.byteCount {
                statistics.decodings += 1
                guard let finding = reader.read(hypothesis, messageByteCount: byteCount, history) else {
                    continue
                }
                statistics.checksPassed += 1
                let verdict = gate.verdict(finding.evidence)
                guard verdict.isFrame else {
                    statistics.belowEvidence += 1
                    continue
                }
                if finding.evidence.nats > best?.evidence.nats ?? 0 { best = finding }
                if verdict == .certain { return best }
            } else {
                statistics.refinedCells += 1
                addLengths(reader.lengths(hypothesis, history), of: next.profile)
            }
        }
        return pending.isEmpty ? best : nil
    }

    private mutating func addLengths(_ lengths: [(length: Int, evidence: Float)], of profile: GGWaveProfile) {
        for (length, evidence) in lengths.prefix(GGWaveWatch.mostLengths)
        where gate.verdict(Evidence(stage: .found, pilotNats: evidence)) == .look {
            let count = profile.layout(tokenByteCount: length).sampleCount
            pending.append(
                Pending(profile: profile, byteCount: length, due: start + count + GGWaveWatch.slack))
        }
    }
}
