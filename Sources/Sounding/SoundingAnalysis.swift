import Glibc
import Signal

/// The analysis of a recording of a ``SoundingSignal``. Opposite: ``SoundingSignal``.
///
/// The sounding may stand anywhere in the recording, which may have any rate of ``sampleRatesHz``; the clocks
/// may differ by 300 ppm. The analysis uses the recorder's rate in the player's time, so nothing is
/// resampled.
public struct SoundingAnalysis: Sendable {
    /// The allowed sample rates; the last step of the band ends at 22 kHz.
    public static let sampleRatesHz = 44_050.0...768_000.0
    /// The least time of quiet before the first sweep.
    package static let leastQuietSeconds = 0.25
    /// The greatest share of clipped samples in the quieter sweeps.
    private static let mostClippedShare = 1e-3
    /// The full scale of 16 bits and of more; values of floats beyond it were not cut off.
    private static let fullScale: ClosedRange<Float> = 0.9999...1.0001

    private let recording: [Float]
    private let nominalRateHz: Double

    /// - Parameter recording: one channel, 1 at full scale; values that are no numbers count as silence.
    public init(_ recording: [Float], sampleRateHz: Double) {
        var sane = [Float](repeating: 0, count: recording.count)
        recording.withUnsafeBufferPointer { input in
            sane.withUnsafeMutableBufferPointer { output in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                Kernels.copySane(from, input.count, within: 0...16, into: to)
            }
        }
        (self.recording, nominalRateHz) = (sane, sampleRateHz)
    }

    /// Finds the sounding and measures all of it. Throws ``SoundingError`` if the recording is of no use.
    public func report() throws(SoundingError) -> SoundingReport {
        let start = try firstSweep()  // sample, within half a millisecond
        var cut = SoundingCut(recording, start: start, sampleRateHz: nominalRateHz)
        let skew = cut.clockSkew  // of the player's clock
        cut = SoundingCut(recording, start: start, sampleRateHz: nominalRateHz / (1 + skew))
        guard cut.end <= recording.count else { throw .cutOff }
        let noise = NoiseSpectrum(
            recording[try quiet(before: cut.peakSample)], sampleRateHz: cut.sampleRateHz)
        let sweeps = cut.gains(noise: noise)  // [SweepGains], a sweep each
        let linearity = Linearity(sweeps)
        let loudest = linearity.loudestLinear.map { linearity.steps[$0].levelDBFS }
        let loudestDecibels = (loudest ?? 0) - 20 * log10(SoundingSignal.peak) + 0.01
        let response = BandResponse(sweeps, loudestDecibels: loudestDecibels)
        let decay = cut.decay(loudestDecibels: loudestDecibels)
        let gain = linearity.loudestLinear.flatMap { linearity.steps[$0].gainDecibels }
        return SoundingReport(
            startSeconds: Double(cut.peakSample) / nominalRateHz, clockSkewPPM: 1e6 * skew,
            peak: Double(recording.reduce(0) { max($0, $1.magnitude) }),
            clippedSampleCount: try clippedSampleCount(cut),
            responseDecibels: response.decibels, tokenBandDecibels: response.tokenBandDecibels,
            edges6Hz: response.edges6Hz, edges10Hz: response.edges10Hz,
            steps: linearity.steps, recommendedLevelDBFS: loudest, driftDecibels: drift(sweeps),
            noiseDBFS: 10 * log10(max(1e-20, noise.power(SoundingBand.tokensHz))),
            noiseStepsDBFS: SoundingBand.all.map { 10 * log10(max(1e-20, noise.power($0))) },
            // A sine's mean power is half its peak power.
            receivedDBFS: loudest.flatMap { level in gain.map { level + $0 - 10 * log10(2) } },
            delaySpreadSeconds: decay.delaySpreadSeconds, rt60Seconds: decay.rt60Seconds,
            directToReverberantDecibels: decay.directToReverberantDecibels, echoPowers: decay.curve,
            echoStartSeconds: EchoDecay.curveStartSeconds, echoStepSeconds: 1 / nominalRateHz,
            echoNoiseDecibels: decay.noiseDecibels)
    }

    private func firstSweep() throws(SoundingError) -> Int {
        guard SoundingAnalysis.sampleRatesHz.contains(nominalRateHz) else {
            throw .unusableRate(hz: nominalRateHz)
        }
        let seconds = Double(recording.count) / nominalRateHz
        guard seconds >= SoundingSignal.spanSeconds + Sweep.durationSeconds else {
            throw .tooShort(seconds: seconds)
        }
        let correlator = SweepCorrelator(Sweep(sampleRateHz: nominalRateHz))
        let search = SoundingSearch(
            blockPowers: correlator.blockPowers(recording),
            blocksPerSecond: nominalRateHz / Double(correlator.blockSampleCount))
        guard let block = search.firstBlock else {
            // Sweeps that are all clipped have the same level.
            let share = Double(clippedSampleCount(recording.indices)) / Double(recording.count)
            throw share > SoundingAnalysis.mostClippedShare ? .clipped(share: share) : .notFound
        }
        return block * correlator.blockSampleCount
    }

    /// Returns the samples of the quiet before the sounding, as long as the signal's own quiet, a little off
    /// its ends.
    private func quiet(before peakSample: Int) throws(SoundingError) -> Range<Int> {
        let end = peakSample - Int(0.02 * nominalRateHz)
        let first = max(0, end - Int((SoundingSignal.quietSeconds - 0.05) * nominalRateHz))
        guard Double(end - first) >= SoundingAnalysis.leastQuietSeconds * nominalRateHz else {
            throw .noQuietBefore(seconds: Double(peakSample) / nominalRateHz)
        }
        return first..<end
    }

    private func drift(_ sweeps: [SweepGains]) -> Double? {
        let band = SoundingBand.tokensHz
        let ends = [sweeps.first, sweeps.last].compactMap { $0 }.compactMap { sweep in
            MeasuredPower(
                power: SoundingBand.mean(sweep.powers, within: band),
                noisePower: SoundingBand.mean(sweep.noisePowers, within: band),
                bandwidthHz: band.upperBound - band.lowerBound, valuesPerHertz: sweep.gateSeconds)
        }
        guard ends.count == 2, ends.allSatisfy({ $0.relativeError < 0.1 }) else { return nil }
        return 10 * log10(ends[1].power / ends[0].power)
    }

    /// Returns the number of clipped samples. Throws `.clipped` if the sweeps at −30 and −20 dB are clipped
    /// too.
    private func clippedSampleCount(_ cut: SoundingCut) throws(SoundingError) -> Int {
        let quieter = cut.starts[1]..<cut.starts[3]
        let share = Double(clippedSampleCount(quieter)) / Double(quieter.count)
        guard share <= SoundingAnalysis.mostClippedShare else { throw .clipped(share: share) }
        return clippedSampleCount(max(0, cut.starts[0])..<cut.end)
    }

    private func clippedSampleCount(_ range: Range<Int>) -> Int {
        recording[range].count { SoundingAnalysis.fullScale.contains($0.magnitude) }
    }
}
