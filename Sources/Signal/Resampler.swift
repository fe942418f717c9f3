/// Changes the sample rate and nothing else below 0.916 of the lower Nyquist frequency (20.2 kHz of 44.1 kHz's).
/// Streaming: feed chunks of any size, the output is the same as for one long chunk.
///
/// Shapes: in `[n]` at `fromHz` → out `[⌈n · toHz / fromHz⌉]` at `toHz`, all of it once `finish()` was called.
/// Output sample m stands at input time m / toHz: the filter's delay is made up for. Images and aliases of that band
/// lie 80 dB down. Whole-numbered rates convert exactly, however long the stream.
public struct Resampler: Sendable {
    public let fromHz: Double
    public let toHz: Double
    private let kernel: SincInterpolator
    private var position: ResamplingPosition
    /// Every fraction has its own row in the table.
    private let isTabulated: Bool
    /// Input still needed; its first sample is `reach − 1` before the next output.
    private var pending: [Float]
    private var inputCount = 0
    private var outputCount = 0

    /// The pass band's edge over the lower Nyquist frequency; the stop band mirrors it.
    private static let passBand = 0.916
    private static let attenuationDecibels = 82.0
    private static let mostPhases = 1024
    /// When the ratio has more, or fractions without end, rows are mixed.
    private static let sharedPhaseCount = 512

    /// - Precondition: both rates are positive and finite.
    public init(fromHz: Double, toHz: Double) {
        precondition(
            fromHz > 0 && toHz > 0 && fromHz.isFinite && toHz.isFinite, "sample rates are positive")
        self.fromHz = fromHz
        self.toHz = toHz
        position = ResamplingPosition(fromHz: fromHz, toHz: toHz)
        let exactPhaseCount = position.phaseCount.flatMap { $0 <= Resampler.mostPhases ? $0 : nil }
        isTabulated = exactPhaseCount != nil
        let lowerNyquist = min(1, toHz / fromHz) / 2  // cycles per input sample
        kernel = SincInterpolator(
            cutoff: lowerNyquist, transition: 2 * (1 - Resampler.passBand) * lowerNyquist,
            attenuationDecibels: Resampler.attenuationDecibels,
            phaseCount: exactPhaseCount ?? Resampler.sharedPhaseCount)
        pending = [Float](repeating: 0, count: kernel.reach - 1)
    }

    public mutating func process(_ input: UnsafeBufferPointer<Float>) -> [Float] {
        inputCount += input.count
        if fromHz == toHz { return Array(input) }
        pending.append(contentsOf: input)
        return drain(upTo: .max)
    }

    public mutating func process(_ input: [Float]) -> [Float] {
        input.withUnsafeBufferPointer { process($0) }
    }

    /// The end of the stream: what the filter still holds, silence assumed after it.
    public mutating func finish() -> [Float] {
        if fromHz == toHz { return [] }
        pending.append(contentsOf: repeatElement(0, count: kernel.reach + 1))
        return drain(upTo: position.outputCount(forInput: inputCount))
    }

    private mutating func drain(upTo lastCount: Int) -> [Float] {
        var output: [Float] = []
        output.reserveCapacity(Int(Double(pending.count) * toHz / fromHz) + 1)
        var first = 0  // of `pending`, for the next output
        pending.withUnsafeBufferPointer { samples in
            while outputCount < lastCount && first + 2 * kernel.reach <= samples.count {
                let x = samples.baseAddress! + first + kernel.reach - 1
                if isTabulated {
                    output.append(kernel.value(at: x, phase: position.phase))
                } else {
                    output.append(kernel.value(at: x, fraction: position.fraction))
                }
                outputCount += 1
                first += position.advance()
            }
        }
        // Never beyond what arrived: the filter is longer than a step, which its band makes sure of.
        pending.removeFirst(first)
        return output
    }
}
