import Glibc

/// Chunks → samples. Opposite: ``GGWaveToneReader``.
///
///     | marker, 16 tones | chunk, a tone a nibble | chunk | … | marker |
///       /‾‾‾‾‾‾‾‾‾‾‾‾‾‾\   /‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\             each with ramps of 15 % of its length
///
/// ggwave's samples at full volume, to rounding. At other rates than 48 kHz the same waveform, read at other times.
struct GGWaveModulator: Sendable {
    let profile: GGWaveProfile
    let sampleRateHz: Double

    /// - Parameter delaySamples: 0 ≤ delay < 1, by which the message begins after the first sample.
    func modulate(_ chunks: [[UInt8]], delaySamples: Double = 0) -> [Float] {
        let waveform = profile.waveform
        var parts = chunks.map { nibbles in
            Part(
                tones: nibbles.enumerated().map { 16 * $0 + Int($1) },
                sampleCount: waveform.samplesPerChunk)
        }
        if profile.fixedByteCount == nil {
            parts.insert(Part(tones: GGWaveMarker.start, sampleCount: GGWaveProtocol.markerSamples), at: 0)
            parts.append(Part(tones: GGWaveMarker.end, sampleCount: GGWaveProtocol.markerSamples))
        }
        let step = GGWaveProtocol.baseRateHz / sampleRateHz
        let length = parts.reduce(0) { $0 + $1.sampleCount }
        var samples = [Float](repeating: 0, count: Int((Double(length) / step + delaySamples).rounded(.up)))
        var start = 0
        for part in parts {
            let first = Int((Double(start) / step + delaySamples).rounded(.up))
            start += part.sampleCount
            let last = min(samples.count, Int((Double(start) / step + delaySamples).rounded(.up)))
            add(
                part, at: (Double(first) - delaySamples) * step - Double(start - part.sampleCount), step,
                first..<last, &samples)
        }
        return samples
    }

    /// What sounds at once: tones counted from the first bin, and for how long at the base rate.
    private struct Part {
        var tones: [Int]
        var sampleCount: Int
    }

    private func add(
        _ part: Part, at position: Double, _ step: Double, _ range: Range<Int>, _ samples: inout [Float]
    ) {
        let turn = 2 * Double.pi / Double(GGWaveProtocol.frameSamples)
        let bytesPerChunk = Double(max(1, profile.waveform.nibblesPerChunk / 2))
        for tone in part.tones {
            let phase = Double.pi * Double(tone / 2) / (8 * bytesPerChunk)
            let frequency = turn * Double(profile.waveform.firstBin + tone)
            for (index, place) in range.enumerated() {
                samples[place] += Float(sin(phase + frequency * (position + Double(index) * step)))
            }
        }
        for (index, place) in range.enumerated() {
            let gain = GGWaveModulator.envelope(position + Double(index) * step, of: part.sampleCount)
            samples[place] *= gain / Float(part.tones.count)
        }
    }

    /// Linear over the first and the last 15 %, in single precision as ggwave has it.
    private static func envelope(_ position: Double, of count: Int) -> Float {
        let ramp = 0.15 * Float(count)
        if position < Double(ramp.rounded(.down)) { return Float(position) / ramp }
        if position > Double((0.85 * Float(count)).rounded(.down)) {
            return Float(Double(count) - position) / ramp
        }
        return 1
    }
}
