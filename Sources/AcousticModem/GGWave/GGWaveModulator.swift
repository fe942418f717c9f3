import Glibc

/// The step from chunks to samples. Opposite: ``GGWaveToneReader``.
///
///     | marker, 16 tones | chunk, a tone a nibble | chunk | … | marker |
///       /‾‾‾‾‾‾‾‾‾‾‾‾‾‾\   /‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\             each with ramps of 15 % of its length
///
/// The samples equal ggwave's at full volume, to rounding, with two additions that its receiver needs to read
/// them correctly: the pair of the start marker that it waits for
/// (``GGWaveMarker/undecidedFrames(chunkCount:of:)``), and ``GGWaveGuardTones``. At other rates than 48 kHz
/// the same waveform is sampled at other times.
struct GGWaveModulator: Sendable {
    let profile: GGWaveProfile
    let sampleRateHz: Double
    /// True for ggwave's own samples without additions, to compare with it.
    var isLiteral = false

    /// - Parameter delaySamples: the delay of the message after the first sample, 0 ≤ delay < 1.
    func modulate(_ chunks: [[UInt8]], delaySamples: Double = 0) -> [Float] {
        let parts = parts(of: chunks)
        let clock = Clock(step: GGWaveProtocol.baseRateHz / sampleRateHz, delaySamples: delaySamples)
        let length = parts.last?.span.upperBound ?? 0
        var samples = [Float](repeating: 0, count: clock.samples(0..<length).upperBound)
        for part in parts { add(part, clock, &samples) }
        if profile.fixedByteCount == nil, !isLiteral { addGuardTones(length, clock, &samples) }
        return samples
    }

    /// A part of the message with its tones, counted from the first bin.
    private struct Part {
        var tones: [Int]
        /// The samples from the start of the message on, at the base rate.
        var span: Range<Int>
        /// The samples from its start during which half of its first tone sounds in the next bin.
        var undecidedSamples = 0
    }

    private func parts(of chunks: [[UInt8]]) -> [Part] {
        let waveform = profile.waveform
        let isFixed = profile.fixedByteCount != nil
        let dataStart = isFixed ? 0 : GGWaveProtocol.markerSamples
        let dataEnd = dataStart + chunks.count * waveform.samplesPerChunk
        let data = chunks.enumerated().map { index, nibbles in
            let start = dataStart + index * waveform.samplesPerChunk
            return Part(
                tones: nibbles.enumerated().map { 16 * $0 + Int($1) },
                span: start..<start + waveform.samplesPerChunk)
        }
        if isFixed { return data }
        let undecided = isLiteral ? 0 : GGWaveMarker.undecidedFrames(chunkCount: chunks.count, of: waveform)
        let start = Part(
            tones: GGWaveMarker.start, span: 0..<dataStart,
            undecidedSamples: undecided * GGWaveProtocol.frameSamples)
        return [start] + data
            + [Part(tones: GGWaveMarker.end, span: dataEnd..<dataEnd + GGWaveProtocol.markerSamples)]
    }

    private func add(_ part: Part, _ clock: Clock, _ samples: inout [Float]) {
        let firstBin = profile.waveform.firstBin
        let bytesPerChunk = Double(max(1, profile.waveform.nibblesPerChunk / 2))
        for tone in part.tones {
            let phase = Double.pi * Double(tone / 2) / (8 * bytesPerChunk)
            add(Sine(bin: firstBin + tone, phase: phase), part.span, clock, &samples)
        }
        if part.undecidedSamples > 0 {
            // Tones of a pair have the same phase, so nothing jumps where a frame ends.
            let undecided = part.span.prefix(part.undecidedSamples)
            add(Sine(bin: firstBin + part.tones[0], amplitude: -0.5), undecided, clock, &samples)
            add(Sine(bin: firstBin + part.tones[0] + 1, amplitude: 0.5), undecided, clock, &samples)
        }
        for sample in clock.samples(part.span) {
            let position = clock.position(of: sample) - Double(part.span.lowerBound)
            let gain = GGWaveModulator.envelope(position, of: part.span.count)
            samples[sample] *= gain / Float(part.tones.count)
        }
    }

    private func addGuardTones(_ length: Int, _ clock: Clock, _ samples: inout [Float]) {
        let guardTones = GGWaveGuardTones(profile.waveform)
        let highestBin = sampleRateHz / 2 / GGWaveProtocol.baseRateHz * Double(GGWaveProtocol.frameSamples)
        for bin in guardTones.bins where Double(bin) < highestBin {
            add(Sine(bin: bin, amplitude: guardTones.amplitude), 0..<length, clock, &samples)
        }
        let data = GGWaveProtocol.markerSamples..<length - GGWaveProtocol.markerSamples
        for bin in guardTones.dataBins {
            add(Sine(bin: bin, amplitude: guardTones.dataAmplitude), data, clock, &samples)
        }
    }

    private struct Sine {
        var bin: Int
        var phase = 0.0
        var amplitude: Float = 1
    }

    private func add(_ sine: Sine, _ span: Range<Int>, _ clock: Clock, _ samples: inout [Float]) {
        let frequency = 2 * Double.pi * Double(sine.bin) / Double(GGWaveProtocol.frameSamples)
        for sample in clock.samples(span) {
            let position = clock.position(of: sample) - Double(span.lowerBound)
            samples[sample] += sine.amplitude * Float(sin(sine.phase + frequency * position))
        }
    }

    /// The conversion between samples and positions at the base rate.
    private struct Clock {
        var step: Double
        var delaySamples: Double

        func position(of sample: Int) -> Double { (Double(sample) - delaySamples) * step }

        func samples(_ span: Range<Int>) -> Range<Int> {
            first(at: span.lowerBound)..<first(at: span.upperBound)
        }

        private func first(at position: Int) -> Int {
            Int((Double(position) / step + delaySamples).rounded(.up))
        }
    }

    /// Returns the envelope: linear over the first and the last 15 %, in single precision as in ggwave.
    private static func envelope(_ position: Double, of count: Int) -> Float {
        let ramp = 0.15 * Float(count)
        if position < Double(ramp.rounded(.down)) { return Float(position) / ramp }
        if position > Double((0.85 * Float(count)).rounded(.down)) {
            return Float(Double(count) - position) / ramp
        }
        return 1
    }
}
