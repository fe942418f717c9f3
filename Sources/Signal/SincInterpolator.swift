import Glibc

/// What a band-limited signal is between its samples: a Kaiser-windowed sinc, tabulated at `phaseCount` fractions
/// of a sample.
///
///     y(i + f) = Σ_k x[i − reach + 1 + k] · g(k − reach + 1 − f),   k = 0 … 2 reach − 1
///
/// At fractions on the table's grid exact; between them the two neighbouring rows are mixed linearly, whose error
/// falls with the square of `phaseCount` (under −100 dB at 512).
public struct SincInterpolator: Sendable {
    /// Input samples used on either side.
    public let reach: Int
    public let phaseCount: Int
    /// Row p holds the taps for the fraction p / phaseCount; one row more than phases, for the mix.
    private let table: [Float]

    private var tapCount: Int { 2 * reach }

    /// - Parameters:
    ///   - cutoff: half-amplitude point, cycles per input sample; 0.5 keeps everything.
    ///   - transition: pass band's edge to stop band's edge, cycles per input sample.
    ///   - attenuationDecibels: of the stop band.
    public init(cutoff: Double, transition: Double, attenuationDecibels: Double, phaseCount: Int) {
        precondition(cutoff > 0 && transition > 0 && phaseCount > 0, "a filter has a band and phases")
        let needed = KaiserWindow.tapCount(attenuationDecibels: attenuationDecibels, transition: transition)
        let reach = (needed + 7) / 8 * 4  // whole vectors of eight
        let window = KaiserWindow(attenuationDecibels: attenuationDecibels)
        self.reach = reach
        self.phaseCount = phaseCount
        let rows = (0...phaseCount).map { p -> [Float] in
            let fraction = Double(p) / Double(phaseCount)
            let taps = (0..<2 * reach).map { k -> Double in
                let t = Double(k - reach + 1) - fraction
                let x = 2 * Double.pi * cutoff * t
                let sinc = x == 0 ? 1 : sin(x) / x
                return sinc * window.value(at: t / Double(reach))
            }
            // Unit gain for a constant in every row, else the rows' differences would be a buzz.
            let gain = taps.reduce(0, +)
            return taps.map { Float($0 / gain) }
        }
        table = Array(rows.joined())
    }

    /// The signal at `x + phase / phaseCount`. Reads `x − reach + 1 … x + reach`.
    public func value(at x: UnsafePointer<Float>, phase: Int) -> Float {
        table.withUnsafeBufferPointer { rows in
            let taps = UnsafeRawPointer(rows.baseAddress! + phase * tapCount)
            let samples = UnsafeRawPointer(x - reach + 1)
            var even = SIMD8<Float>()
            for offset in stride(from: 0, to: 4 * tapCount, by: 32) {
                even +=
                    samples.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                    * taps.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            }
            return even.sum()
        }
    }

    /// The signal at `x + fraction`, 0 ≤ fraction < 1. Reads `x − reach + 1 … x + reach`.
    public func value(at x: UnsafePointer<Float>, fraction: Double) -> Float {
        let place = fraction * Double(phaseCount)
        let phase = Int(place)
        return table.withUnsafeBufferPointer { rows in
            let taps = UnsafeRawPointer(rows.baseAddress! + phase * tapCount)
            let samples = UnsafeRawPointer(x - reach + 1)
            let row = 4 * tapCount
            var before = SIMD8<Float>()
            var after = SIMD8<Float>()
            for offset in stride(from: 0, to: row, by: 32) {
                let x = samples.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                before += x * taps.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                after += x * taps.loadUnaligned(fromByteOffset: offset + row, as: SIMD8<Float>.self)
            }
            let mix = Float(place - Double(phase))
            return (before + (after - before) * mix).sum()
        }
    }
}
