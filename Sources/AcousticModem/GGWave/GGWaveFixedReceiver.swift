import Glibc
import Signal

/// A receiver for a ggwave protocol of fixed length, which has no markers: it looks for a message everywhere.
///
/// Every half frame may be the start of a chunk. The receiver sums, over the chunks that a message would
/// have, the share of energy in the strongest of sixteen tones. Where that sum peaks far over the reach of
/// noise, it reads the message.
struct GGWaveFixedReceiver: FamilyReceiver {
    private let profile: GGWaveProfile
    private let layout: GGWaveLayout
    private let gate: AcceptanceGate
    private var history: SampleHistory
    private var reader = GGWaveMessageReader()
    private var tones = GGWaveToneReader()
    private var powers: [Float] = []
    private var waiting: [Float] = []
    /// The concentration of the chunk that begins with each half frame, less its mean in noise. Half frame h
    /// is at h mod count.
    private var concentrations: [Float]
    private var halfFrame: SamplePosition = 0
    private var best: (halfFrame: SamplePosition, score: Float)?
    private var skippedSamples: Int64 = 0
    private(set) var statistics = ReceiverStatistics()

    private static let step = GGWaveProtocol.frameSamples / 2
    /// The mean and variance in noise of the strongest of sixteen powers over their sum, each power summed
    /// over all looks.
    private let noise: (mean: Float, variance: Float)

    init(profile: GGWaveProfile) {
        self.profile = profile
        layout = profile.layout(tokenByteCount: profile.fixedByteCount ?? 1)
        gate = .ggwave(parityByteCount: layout.parityByteCount)
        history = SampleHistory(holding: layout.sampleCount + 64 * GGWaveProtocol.frameSamples)
        concentrations = [Float](repeating: 0, count: layout.dataEnd / GGWaveFixedReceiver.step + 1)
        noise = GGWaveFixedReceiver.noise(looks: profile.waveform.framesPerChunk / 3)
        waiting.reserveCapacity(GGWaveFixedReceiver.step)
    }

    /// Measures ``noise`` by trial, from a seed.
    private static func noise(looks: Int) -> (mean: Float, variance: Float) {
        var random = SplitMix64(seed: 1)
        let shares = (0..<4000).map { _ in
            let powers = (0..<16).map { _ in
                (0..<looks).reduce(Float(0)) { sum, _ in
                    sum + -log(Float.random(in: .leastNormalMagnitude...1, using: &random))
                }
            }
            return powers.max()! / powers.reduce(0, +)
        }
        let mean = shares.reduce(0, +) / 4000
        return (mean, shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 4000)
    }

    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport]) {
        var rest = sound.samples[...]
        while !rest.isEmpty {
            let part = rest.prefix(GGWaveFixedReceiver.step - waiting.count)
            waiting.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            guard waiting.count == GGWaveFixedReceiver.step else { return }
            waiting.withUnsafeBufferPointer { history.append($0) }
            waiting.removeAll(keepingCapacity: true)
            advance(into: &reports)
        }
    }

    var flushSamples: Int { layout.sampleCount + 64 * GGWaveProtocol.frameSamples }

    mutating func skip(samples: Int64) { skippedSamples += samples }

    mutating func exchangeScratch(with other: inout GGWaveFixedReceiver) {
        swap(&reader, &other.reader)
        swap(&tones, &other.tones)
        swap(&powers, &other.powers)
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        let silence = [Float](repeating: 0, count: flushSamples)
        silence.withUnsafeBufferPointer { process(FreshSound(samples: $0), into: &reports) }
    }

    /// Scores the half frame with which the last whole chunk begins.
    private mutating func advance(into reports: inout [DecodeReport]) {
        let start = history.end - profile.waveform.samplesPerChunk
        guard start >= 0 else { return }
        halfFrame = start / GGWaveFixedReceiver.step
        let halvesPerChunk = profile.waveform.samplesPerChunk / GGWaveFixedReceiver.step
        concentrations[halfFrame % concentrations.count] = concentration(at: start)
        let first = halfFrame - (layout.chunkCount - 1) * halvesPerChunk
        guard first >= 0 else { return }
        var sum: Float = 0
        for chunk in 0..<layout.chunkCount {
            sum += concentrations[(first + chunk * halvesPerChunk) % concentrations.count]
        }
        let count = Float(layout.chunkCount * profile.waveform.nibblesPerChunk)
        let score = sum / (count * noise.variance).squareRoot()
        if score > Thresholds.ggwave.fixedDeviations, score > best?.score ?? 0 { best = (first, score) }
        if let best, first - best.halfFrame >= halvesPerChunk {
            self.best = nil
            read(best.halfFrame, into: &reports)
        }
    }

    private mutating func concentration(at start: SamplePosition) -> Float {
        let waveform = profile.waveform
        let (width, looks) = (waveform.binCount, waveform.framesPerChunk / 3)
        let starts = stride(
            from: start, to: start + waveform.samplesPerChunk, by: 3 * GGWaveProtocol.frameSamples)
        tones.read(
            history, starts: Array(starts), frames: 3, bins: waveform.firstBin..<waveform.firstBin + width,
            into: &powers)
        var sum: Float = 0
        for tone in stride(from: 0, to: width, by: 16) {
            var sums = SIMD16<Float>.zero
            for look in 0..<looks {
                for value in 0..<16 { sums[value] += powers[look * width + tone + value] }
            }
            let total = sums.sum()
            if total > Kernels.leastPower { sum += sums.max() / total - noise.mean }
        }
        return sum
    }

    private mutating func read(_ halfFrame: SamplePosition, into reports: inout [DecodeReport]) {
        statistics.candidates += 1
        statistics.decodings += 1
        let hypothesis = GGWaveMessageReader.Hypothesis(
            profile: profile, start: halfFrame * GGWaveFixedReceiver.step, agreement: 0)
        guard let finding = reader.read(hypothesis, messageByteCount: layout.messageByteCount, history) else {
            return
        }
        statistics.checksPassed += 1
        guard gate.verdict(finding.evidence).isFrame else {
            statistics.belowEvidence += 1
            return
        }
        statistics.reports += 1
        reports.append(finding.report)
        reports[reports.count - 1].startSample += Double(skippedSamples)
    }
}
