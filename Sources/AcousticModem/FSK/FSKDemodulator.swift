import Glibc
import Signal

/// The step from baseband to tones at an exact start and Doppler. It reads the sound in the transmitter's own
/// time, so that tones stand on whole bins again. Opposite: ``FSKModulator``.
struct FSKDemodulator: Sendable {
    private static let phaseCount = 32
    private static let tapCount = 12
    /// The greatest time scale of any setting: hypotheses of few low tones and their refinements go beyond
    /// real speeds.
    private static let greatestTimeScale = 3 * TonePlan.greatestTimeScale

    private let plan: TonePlan
    private let longest: Int
    /// Band-limited interpolation at each fractional delay, each tap twice. `[phaseCount][24]`
    private let filters: [Float]
    private let transform: FFT
    private var samples: ScratchBuffer<Complex>
    private var read: ScratchBuffer<Complex>
    private var window: ScratchBuffer<Complex>
    private var spectrum: ScratchBuffer<Complex>

    /// - Parameter longest: the greatest number of symbols of a frame.
    init(plan: TonePlan, longest: Int) {
        (self.plan, self.longest) = (plan, longest)
        transform = FFT(count: plan.symbolSamples)
        filters = (0..<FSKDemodulator.phaseCount).flatMap { phase -> [Float] in
            let taps = (0..<FSKDemodulator.tapCount).map { tap -> Double in
                let middle = Double(FSKDemodulator.tapCount / 2 - 1)
                let t = Double(tap) - middle - Double(phase) / Double(FSKDemodulator.phaseCount)
                guard abs(t) > 1e-9 else { return 1 }
                let reach = Double(FSKDemodulator.tapCount / 2)
                return sin(.pi * t) / (.pi * t) * (0.5 + 0.5 * cos(.pi * t / reach))
            }
            return taps.flatMap { [Float($0), Float($0)] }
        }
        let count = (longest + ToneGrid.tailWindows) * plan.symbolSamples
        read = ScratchBuffer(count: count, repeating: .zero)
        samples = ScratchBuffer(
            count: Int(Double(count) / (1 - FSKDemodulator.greatestTimeScale)) + 4 * FSKDemodulator.tapCount,
            repeating: .zero)
        window = ScratchBuffer(count: plan.symbolSamples, repeating: .zero)
        spectrum = window
    }

    /// Fills the grid with `symbolCount` symbols from a setting on.
    mutating func demodulate(
        _ sound: FSKSound, _ setting: FSKTracker.Setting, symbolCount: Int, into grid: inout ToneGrid
    ) {
        let start = setting.start
        let windows = symbolCount + ToneGrid.tailWindows
        let count = windows * plan.symbolSamples
        let timeScale = min(
            max(setting.timeScale, -FSKDemodulator.greatestTimeScale), FSKDemodulator.greatestTimeScale)
        let step = 1 / (1 + timeScale)
        let origin = SamplePosition(start.rounded(.down)) - FSKDemodulator.tapCount
        let needed = Int(Double(count) * step) + 3 * FSKDemodulator.tapCount
        precondition(windows <= longest + ToneGrid.tailWindows && needed <= samples.count)
        let samples = self.samples.claim()
        let read = self.read.claim()
        let window = self.window.claim()
        let spectrum = self.spectrum.claim()
        sound.baseband.copy(from: origin, count: needed, to: samples)
        let angle = -2 * Double.pi * timeScale * plan.carrierHz / plan.basebandRateHz
        Kernels.rotate(samples, needed, from: angle * (Double(origin) - start), by: angle)
        Kernels.readFractional(
            samples, needed, filters: filters, position: start - Double(origin), step: step, 0..<count,
            into: read)
        let tones = plan.allToneCount
        // Negative frequencies stand at the end of the spectrum.
        let negative = min(max(-plan.lowestBin, 0), tones)
        grid.values.withUnsafeMutableBufferPointer { values in
            for index in 0..<windows {
                window.copy(from: read + index * plan.symbolSamples, count: plan.symbolSamples)
                transform.forward(window, into: spectrum)
                let row = values.baseAddress! + index * tones
                Kernels.scale(
                    spectrum + plan.symbolSamples - negative, by: sound.gains, negative, into: row)
                sound.gains.withUnsafeBufferPointer {
                    Kernels.scale(
                        spectrum + plan.lowestBin + negative, by: $0.baseAddress! + negative,
                        tones - negative, into: row + negative)
                }
            }
        }
    }
}
