import Coding
import Glibc
import Signal

/// A reader that tests a hypothesis against the sound. It holds the working memory.
struct GGWaveMessageReader: Sendable {
    /// A message that would begin at `start`.
    struct Hypothesis: Sendable {
        var profile: GGWaveProfile
        var start: SamplePosition
        /// The agreement of the start marker.
        var agreement: Float
    }

    struct Finding: Sendable {
        var report: DecodeReport
        /// The evidence of the bytes and of the end marker, which is the known part.
        var evidence: Evidence
        var range: Range<SamplePosition>
    }

    private var chunks = GGWaveChunkReader()

    /// The bounds of an end marker's evidence against a message, and for it.
    private static let endEvidence: (least: Float, most: Float) = (-30, 12)
    /// The nats by which partial markers are less probable than none.
    private static let rarity: Float = 4
    /// The number of samples over which a marker rises.
    private static let markerRamp = GGWaveProtocol.markerSamples * 15 / 100

    /// Returns the place near `start` where a start marker fits best, and its agreement.
    mutating func locateMarker(near start: SamplePosition, firstBin: Int, _ history: SampleHistory) -> (
        start: SamplePosition, agreement: Float
    ) {
        chunks.locateMarker(near: start, firstBin: firstBin, history)
    }

    /// Returns the lengths that the first three bytes allow, the likeliest first.
    mutating func lengths(_ hypothesis: Hypothesis, _ history: SampleHistory) -> [(
        length: Int, evidence: Float
    )] {
        let waveform = hypothesis.profile.waveform
        var best: [Int: Float] = [:]
        for offset in stride(from: -2304, through: 2304, by: 768) {
            let likelihoods = chunks.likelihoods(
                waveform, from: hypothesis.start + offset + GGWaveProtocol.markerSamples,
                chunks: 0..<GGWaveMessageReader.headerChunkCount(waveform), history)
            for (length, evidence) in GGWaveFrameDecoder.lengths(
                likelihoods, over: Thresholds.ggwave.listedLengthNats)
            {
                best[length] = max(best[length] ?? 0, evidence)
            }
        }
        return best.map { ($0.key, $0.value) }.sorted { $0.evidence > $1.evidence }
    }

    /// Returns the number of chunks that even the shortest message has.
    static func headerChunkCount(_ waveform: GGWaveProtocol) -> Int {
        GGWaveProfile(waveform).layout(tokenByteCount: 1).chunkCount
    }

    /// Returns the most probable message of a length, or `nil` if the code finds none.
    ///
    /// A marker's ramps are almost as long as a chunk of the fastest protocols: in noise it may be placed a
    /// chunk off.
    mutating func read(_ hypothesis: Hypothesis, messageByteCount: Int, _ history: SampleHistory) -> Finding?
    {
        let layout = hypothesis.profile.layout(tokenByteCount: messageByteCount)
        let chunk = layout.waveform.samplesPerChunk
        let isShort = !layout.isFixed && chunk < 2 * GGWaveMessageReader.markerRamp
        var best: Finding?
        for shift in isShort ? [0, -chunk, chunk] : [0] {
            let start = chunks.align(hypothesis.start + shift, layout, history)
            guard let finding = read(hypothesis, layout, from: start, history) else { continue }
            if finding.evidence.nats > best?.evidence.nats ?? -.infinity { best = finding }
            if finding.evidence.nats > Thresholds.ggwave.placedNats { break }
        }
        return best
    }

    private mutating func read(
        _ hypothesis: Hypothesis, _ layout: GGWaveLayout, from start: SamplePosition, _ history: SampleHistory
    ) -> Finding? {
        let profile = hypothesis.profile
        let messageByteCount = layout.messageByteCount
        let likelihoods = chunks.likelihoods(
            profile.waveform, from: start + layout.dataOffset, chunks: 0..<layout.chunkCount, history)
        guard let message = GGWaveFrameDecoder(layout: layout).decode(likelihoods) else { return nil }
        var evidence = Evidence(stage: .checked, nats: message.evidence, margin: message.margin)
        if !layout.isFixed {
            let header = GGWaveFrameEncoder.header(length: messageByteCount).enumerated()
            evidence.nats += header.reduce(6 * GGWaveFrameDecoder.log16) {
                $0 + likelihoods.logarithm(of: $1.element, at: $1.offset)
            }
            evidence.pilotNats = endEvidence(
                hypothesis, from: start, at: start + layout.dataEnd, history)
            evidence.nats += evidence.pilotNats
        }
        return Finding(
            report: report(profile, layout, message.bytes, start, likelihoods), evidence: evidence,
            range: start..<start + layout.sampleCount)
    }

    /// Returns ln of how much more probable the sound is with an end marker as strong as the start marker
    /// than without one. It also allows four fifths of both markers: a faster reading of a message of two
    /// chunks fits between its markers like that.
    private mutating func endEvidence(
        _ hypothesis: Hypothesis, from messageStart: SamplePosition, at start: SamplePosition,
        _ history: SampleHistory
    ) -> Float {
        let firstBin = hypothesis.profile.waveform.firstBin
        let score = chunks.markerScore(at: start, firstBin: firstBin, history)
        let found = chunks.markerScore(at: messageStart, firstBin: firstBin, history)
        let expected = max(hypothesis.agreement, found.agreement)
        let overNone = (-score.agreement - expected / 2) * expected / GGWaveMarkerScore.variance
        let lesser = min(-score.agreement, found.agreement)
        let overPart = (lesser - 0.9 * expected) * 0.2 * expected / GGWaveMarkerScore.variance
        let nats = min(overNone, overPart + GGWaveMessageReader.rarity)
        return min(max(nats, GGWaveMessageReader.endEvidence.least), GGWaveMessageReader.endEvidence.most)
    }

    /// - Parameter bytes: the message as sent.
    private func report(
        _ profile: GGWaveProfile, _ layout: GGWaveLayout, _ bytes: [UInt8], _ start: SamplePosition,
        _ likelihoods: GGWaveLikelihoods
    ) -> DecodeReport {
        let token = profile.isScrambled ? GGWaveScrambler.scramble(bytes) : bytes
        // A tone of amplitude a has a² · 3 · 1024 / 4 times the variance of the noise in a look, in which
        // white noise of variance v has v; half a² is its power.
        let lookSamples = Float(GGWaveChunkReader.coherentFrames * GGWaveProtocol.frameSamples)
        let signal = 2 * likelihoods.tonePower / lookSamples * Float(profile.waveform.nibblesPerChunk)
        let density = 2 * likelihoods.noisePower / Float(GGWaveProtocol.baseRateHz)
        let band = Float(profile.bandHz.upperBound - profile.bandHz.lowerBound)
        let seconds = Float(profile.durationSeconds(tokenByteCount: layout.messageByteCount))
        let ratio = signal / density
        return DecodeReport(
            token: token, profile: WaveformProfile(profile), startSample: Double(start),
            snrDecibels: 10 * log10(ratio / band),
            ebN0Decibels: 10 * log10(ratio * seconds / Float(8 * layout.messageByteCount)),
            speedMetersPerSecond: 0, repeats: 1, lane: 0)
    }
}
