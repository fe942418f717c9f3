import Signal

/// Blocks of 50 ms whose powers ``SteadyNoise`` remembers. The power is weighted approximately by the
/// spectrum of the chips.
///
///     weight:              1 + 1.5 cos φ + 0.85 cos 2φ,   φ = 2πf / rate
///     power of a block:    Σ |x(t)|² + Re(1.5 x(t) x*(t−1) + 0.85 x(t) x*(t−2))
struct EnergyBlock: Sendable {
    private static let seconds = 0.05
    /// The bandwidth in which the weight lets noise count, as a share of the baseband's rate.
    private static let noiseShare = 0.3875

    /// The times about a strong frame that are left out of the noise with it, for its ramp and the last of
    /// its echoes.
    private static let leftOutSeconds = (before: 0.1, after: 1.0)

    let sampleCount: Int
    private let band: Band
    /// The bandwidth of the noise that stands against a frame's energy. The weight leaves that energy whole.
    let noiseHz: Double
    /// The variance of a block's power if its mean is 1, as `FrameEnergyTests` measures it.
    let variance: Float

    init(band: Band) {
        self.band = band
        sampleCount = band.samples(seconds: EnergyBlock.seconds)
        noiseHz = EnergyBlock.noiseShare * band.rateHz
        variance = Float(1 / (noiseHz * EnergyBlock.seconds))
    }

    /// Returns the first block that begins at a sample or after it.
    func first(from sample: SamplePosition) -> SamplePosition { (sample + sampleCount - 1) / sampleCount }

    /// Returns true if a frame stands so far over its threshold that no other frame of its sender hides in
    /// the noise.
    static func isStrong(_ report: DecodeReport) -> Bool {
        report.ebN0Decibels > Thresholds.dsss.strongFrameDecibels
    }

    /// Leaves a frame out of the noise if it is so strong that any other frame of its sender is evident, too.
    ///
    /// - Parameter skippedSamples: the skipped samples, at 48 kHz, that positions of the baseband do not
    ///   count.
    func leaveOut(_ report: DecodeReport, skippedSamples: Int64, of noise: inout SteadyNoise) {
        guard EnergyBlock.isStrong(report) else { return }
        let blocksPerSecond = band.rateHz / Double(sampleCount)
        let startSeconds = (report.startSample - Double(skippedSamples)) / Receiver.sampleRateHz
        let first = SamplePosition((startSeconds - EnergyBlock.leftOutSeconds.before) * blocksPerSecond)
        let end = startSeconds + report.durationSeconds + EnergyBlock.leftOutSeconds.after
        noise.leaveOut(first..<max(first, SamplePosition(end * blocksPerSecond) + 1))
    }

    /// Returns true if a frame that was left out holds some of these samples.
    func leavesOut(_ samples: Range<SamplePosition>, of noise: SteadyNoise) -> Bool {
        noise.leavesOut(samples.lowerBound / sampleCount..<samples.upperBound / sampleCount + 1)
    }

    /// Adds the powers of the last `blocks` blocks of `baseband` to `noise`.
    func add(_ baseband: BasebandWindow, blocks: Int, to noise: inout SteadyNoise) {
        for block in (1...blocks).reversed() {
            noise.append(power(baseband, from: baseband.end - block * sampleCount))
        }
    }

    /// Replaces the powers of the whole blocks of `residual` in `noise`.
    func replace(_ residual: BasebandWindow, in noise: inout SteadyNoise) {
        let blocks = first(from: residual.start + 2)..<residual.end / sampleCount
        noise.replace(blocks) { power(residual, from: $0 * sampleCount) }
    }

    /// Returns the power of the block from a sample on.
    private func power(_ baseband: BasebandWindow, from start: SamplePosition) -> Float {
        // The sum reads two samples before a block; the first block has none before it.
        let first = max(start - baseband.start, 2)
        let length = start - baseband.start + sampleCount - first
        return baseband.samples.withUnsafeBufferPointer {
            let block = $0.baseAddress! + first
            func product(after lag: Int) -> Float { Kernels.innerProduct(block, block - lag, length) }
            return product(after: 0) + 1.5 * product(after: 1) + 0.85 * product(after: 2)
        }
    }
}
