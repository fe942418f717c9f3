import Glibc
import Signal

/// Baseband → the transmitter's own time and carrier: one matched-filter output for each chip, or for each
/// half chip.
///
/// It first removes the carrier offset. A chip-shaped filter of 32 fractional delays then reads the sample
/// grid at `start + m · step / (1 + v)`: a wideband Doppler, not a frequency shift.
struct Despreader: Sendable {
    private static let phaseCount = 32
    private static let tapCount = 12

    private let profile: DSSSProfile
    private let samplesPerChip: Double
    /// The matched filter at each fractional delay, with unit energy; each tap is there twice, for re and im.
    /// `[phaseCount][24]`
    private let filters: [Float]
    private var derotated: ScratchBuffer<Complex>

    init(profile: DSSSProfile, reachChips: Int) {
        self.profile = profile
        let samplesPerChip = profile.samplesPerChip
        self.samplesPerChip = samplesPerChip
        let pulse = ChipPulse(gaussianBT: profile.gaussianBT)
        filters = (0..<Despreader.phaseCount).flatMap { phase -> [Float] in
            let taps = (0..<Despreader.tapCount).map { tap in
                pulse.value(
                    (Double(tap - (Despreader.tapCount / 2 - 1)) - Double(phase)
                        / Double(Despreader.phaseCount))
                        / samplesPerChip)
            }
            let norm = 1 / taps.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return taps.flatMap { [Float($0 * norm), Float($0 * norm)] }
        }
        let longest = Double(profile.segmentChipCount + reachChips) * samplesPerChip * 1.01
        derotated = ScratchBuffer(count: Int(longest) + 4 * Despreader.tapCount, repeating: .zero)
    }

    /// Makes the outputs of a segment, each turned by (−j)^(chip) so that an undistorted chip is real, up to
    /// the path's phase. Only the outputs of `wanted` are made.
    mutating func despread(
        _ baseband: BasebandWindow, _ grid: ChipGrid, wanted: [Range<Int>],
        into output: UnsafeMutableBufferPointer<Complex>
    ) {
        let (start, timeScale) = (grid.start, grid.timeScale)
        let step = grid.stepChips * samplesPerChip / (1 + timeScale)
        let first = start + Double(grid.firstChip) * samplesPerChip / (1 + timeScale)
        let origin = SamplePosition(first.rounded(.down)) - Despreader.tapCount
        let needed = Int(Double(output.count) * step) + 3 * Despreader.tapCount
        precondition(needed <= derotated.count, "a segment and its echoes")
        let samples = derotated.claim()
        baseband.copy(from: origin, count: needed, to: samples)
        derotate(
            samples, needed, radians: timeScale * profile.carrierHz / profile.band.rateHz,
            from: origin, start)
        let chipsPerOutput = grid.stepChips == 1 ? 0 : 1  // log2 of a chip's outputs
        for range in wanted {
            Kernels.readFractional(
                samples, needed, filters: filters, position: first - Double(origin), step: step, range,
                into: output.baseAddress!)
            for m in range { output[m] = turned(output[m], quarters: grid.firstChip + (m >> chipsPerOutput)) }
        }
    }

    /// Removes the carrier offset of `turns` a sample, with phase 0 at the segment's start.
    private func derotate(
        _ samples: UnsafeMutablePointer<Complex>, _ count: Int, radians turns: Double,
        from origin: SamplePosition,
        _ start: Double
    ) {
        let angle = -2 * Double.pi * turns
        Kernels.rotate(samples, count, from: angle * (Double(origin) - start), by: angle)
    }

    /// Returns (−j)^quarters · z.
    @inline(__always)
    private func turned(_ z: Complex, quarters: Int) -> Complex {
        switch quarters & 3 {
        case 0: z
        case 1: Complex(z.im, -z.re)
        case 2: Complex(-z.re, -z.im)
        default: Complex(-z.im, z.re)
        }
    }
}
