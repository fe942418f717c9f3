import Glibc
import Signal

/// The windows of a bit that begin at each step, from tone steps, kept for the length of a decision.
///
/// If the tones are less than a baud apart, each leaks into the other. So each tone's energy is kept beside
/// the residue that it leaves unexplained: the other tone's energy, less the leak. In white noise that
/// measures the noise alone.
///
///     ρ = ⟨space, mark⟩ over the window;   residue of mark = |s − ρ m|² / (1 − |ρ|²)
struct ToneWindows: Sendable {
    static let stepsPerBit = 10
    /// The number of windows kept; a power of 2.
    static let capacity = 4096

    /// A bit's window. Amplitudes are |Σ x e^{…}|; a tone of amplitude a over n samples has a n / 2.
    struct Window: Sendable {
        var mark: Float = 0
        var space: Float = 0
        var markResidue: Float = 0
        var spaceResidue: Float = 0

        /// The amplitude of the likelier bit.
        var best: Float { max(mark, space) }
    }

    private var steps: [ToneStep]
    private var windows: [Window]
    private var marks: [Float]
    private var bests: [Float]
    private var spaces: [Float]
    /// The cycles per sample from space to mark.
    private let separation: Double
    private let samplesPerBit: Double
    /// The positions after the last window, and after the last step.
    private(set) var end: SamplePosition = 0
    private var stepEnd: SamplePosition = 0

    init(profile: UARTProfile) {
        separation = (profile.markHz - profile.spaceHz) / Receiver.sampleRateHz
        samplesPerBit = Receiver.sampleRateHz / profile.baud
        let silence = ToneStep(mark: .zero, space: .zero, startSample: 0)
        steps = [ToneStep](repeating: silence, count: ToneWindows.stepsPerBit)
        windows = [Window](repeating: Window(), count: ToneWindows.capacity)
        marks = [Float](repeating: 0, count: ToneWindows.capacity)
        spaces = marks
        bests = marks
    }

    /// Window `index`, one of the last `capacity`; silence before the first.
    subscript(index: SamplePosition) -> Window { windows[index & (ToneWindows.capacity - 1)] }
    func mark(_ index: SamplePosition) -> Float { marks[index & (ToneWindows.capacity - 1)] }
    func space(_ index: SamplePosition) -> Float { spaces[index & (ToneWindows.capacity - 1)] }
    func best(_ index: SamplePosition) -> Float { bests[index & (ToneWindows.capacity - 1)] }

    /// Adds a step. Returns true if it completed a window: the one before ``end``.
    mutating func append(_ step: ToneStep) -> Bool {
        steps[stepEnd % ToneWindows.stepsPerBit] = step
        stepEnd += 1
        guard stepEnd >= SamplePosition(ToneWindows.stepsPerBit) else { return false }
        let slot = end & (ToneWindows.capacity - 1)
        let window = window(startSample: steps[stepEnd % ToneWindows.stepsPerBit].startSample)
        windows[slot] = window
        (marks[slot], spaces[slot], bests[slot]) = (window.mark, window.space, window.best)
        end += 1
        return true
    }

    private func window(startSample: SamplePosition) -> Window {
        var (mark, space) = (Complex.zero, Complex.zero)
        for step in steps {
            mark += step.mark
            space += step.space
        }
        let leak = leak(startSample: startSample)
        let share = max(1 - leak.power, 0.1)
        return Window(
            mark: mark.power.squareRoot(), space: space.power.squareRoot(),
            markResidue: (space - leak * mark).power / share,
            spaceResidue: (mark - leak.conjugate * space).power / share)
    }

    /// Returns ρ: the mean of e^{j 2π f n} over the bit, f from space to mark.
    private func leak(startSample: SamplePosition) -> Complex {
        let cycles = separation * (Double(startSample) + (samplesPerBit - 1) / 2)
        let angle = 2 * Double.pi * (cycles - cycles.rounded(.down))
        let x = Double.pi * separation * samplesPerBit
        let size = sin(x) / x
        return Complex(Float(size * cos(angle)), Float(size * sin(angle)))
    }
}
