import Glibc
import Signal

/// The correlation of samples with either tone in each tenth of a bit. Streaming: chunks of any size give the
/// same steps.
///
///     step k: m = Σ x[n] e^{−j 2π f_mark n},   s = Σ x[n] e^{−j 2π f_space n},  n from ⌊k S⌋ up to ⌊(k+1) S⌋
///
/// Shapes: in `[n]` at 48 kHz → a ``ToneStep`` each S = rate / (10 baud) samples. A bit at any step is ten of
/// them added up: each sample is read once for all the windows that overlap on it, as a ``ToneBank`` for each
/// could not.
struct ToneCorrelator: Sendable {
    let samplesPerStep: Double
    private let markTable: Oscillation
    private let spaceTable: Oscillation
    private var pending: [Float]
    private var pendingCount = 0
    private var stepIndex: SamplePosition = 0
    private var stepStart: SamplePosition = 0
    private var stepEnd: SamplePosition

    init(profile: UARTProfile) {
        samplesPerStep = Receiver.sampleRateHz / profile.baud / Double(ToneWindows.stepsPerBit)
        let longest = Int(samplesPerStep.rounded(.up))
        markTable = Oscillation(frequency: profile.markHz / Receiver.sampleRateHz, count: longest)
        spaceTable = Oscillation(frequency: profile.spaceHz / Receiver.sampleRateHz, count: longest)
        pending = [Float](repeating: 0, count: longest)
        stepEnd = SamplePosition(samplesPerStep)
    }

    mutating func process(_ samples: UnsafeBufferPointer<Float>, _ use: (ToneStep) -> Void) {
        guard let base = samples.baseAddress else { return }
        var used = 0
        while true {
            let wanted = stepEnd - stepStart - pendingCount
            let taken = min(wanted, samples.count - used)
            pending.withUnsafeMutableBufferPointer {
                Kernels.copySane(base + used, taken, into: $0.baseAddress! + pendingCount)
            }
            pendingCount += taken
            used += taken
            guard taken == wanted else { return }
            use(finishStep())
        }
    }

    private mutating func finishStep() -> ToneStep {
        let step = ToneStep(
            mark: markTable.correlate(pending, pendingCount, from: stepStart),
            space: spaceTable.correlate(pending, pendingCount, from: stepStart),
            startSample: stepStart)
        stepIndex += 1
        stepStart = stepEnd
        stepEnd = SamplePosition(Double(stepIndex + 1) * samplesPerStep)
        pendingCount = 0
        return step
    }
}

/// A step of a tenth of a bit; the sum of ten steps is a bit.
struct ToneStep: Sendable {
    var mark: Complex
    var space: Complex
    var startSample: SamplePosition
}

/// A complex tone, tabled for a step.
private struct Oscillation: Sendable {
    private let frequency: Double
    private let re: [Float]
    private let im: [Float]

    /// - Parameter frequency: the frequency in cycles per sample.
    init(frequency: Double, count: Int) {
        self.frequency = frequency
        re = (0..<count).map { Float(cos(2 * .pi * frequency * Double($0))) }
        im = (0..<count).map { Float(-sin(2 * .pi * frequency * Double($0))) }
    }

    /// Returns Σ x[i] e^{−j 2π f (first + i)}.
    func correlate(_ x: [Float], _ count: Int, from first: SamplePosition) -> Complex {
        let cycles = frequency * Double(first)
        let angle = -2 * Double.pi * (cycles - cycles.rounded(.down))
        return Complex(Kernels.dot(x, re, count), Kernels.dot(x, im, count))
            * Complex(Float(cos(angle)), Float(sin(angle)))
    }
}
