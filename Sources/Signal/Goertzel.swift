import CKernels
import Glibc

/// The energies of any tones, on no grid, over windows of samples: Goertzel's recursion, with a SIMD lane for
/// each tone.
///
///     E_k = |Σ_n x[n] e^{−j 2π f_k n}|²,   f_k in cycles per sample
///
/// Shapes: a window of any length, and `[frequencies.count]` energies. Single precision: within 10⁻³ of the
/// window's greatest energy, or of noise's, up to 4096 samples (`ToneBankTests`). ``ToneBank`` takes an
/// ``FFT`` instead where that is quicker.
/// Reference: Goertzel, Amer. Math. Monthly 65 (1958).
package struct Goertzel: Sendable {
    package let frequencies: [Double]
    /// The values 2 cos, cos and sin of a sample's turn, padded to whole vectors. `[laneCount]`
    private let coefficients: [Float]
    private let turns: [Complex]
    /// The two states of the recursion for real parts, then for imaginary ones. `[4 laneCount]`
    private var states: ScratchBuffer<Float>

    private var laneCount: Int { coefficients.count }

    /// Precondition: at least one frequency, all finite.
    package init(frequencies: [Double]) {
        precondition(!frequencies.isEmpty && frequencies.allSatisfy { $0.isFinite }, "tones are numbers")
        self.frequencies = frequencies
        let padding = repeatElement(0.25, count: (8 - frequencies.count % 8) % 8)
        let angles = (frequencies + padding).map { 2 * Double.pi * ($0 - $0.rounded()) }
        coefficients = angles.map { Float(2 * cos($0)) }
        turns = angles.map { Complex(Float(cos($0)), Float(sin($0))) }
        states = ScratchBuffer(count: 4 * angles.count, repeating: 0)
    }

    /// Computes energies. Shape: x `[count]` → energies `[frequencies.count]`.
    package mutating func energies(
        of x: UnsafePointer<Float>, count: Int, into energies: UnsafeMutablePointer<Float>
    ) {
        let (last, lanes) = (states.claim(), laneCount)
        let before = last + lanes
        nbk_goertzel(x, 1, count, coefficients, lanes, last, before)
        for k in frequencies.indices {
            let product = coefficients[k] * last[k] * before[k]
            energies[k] = max(0, last[k] * last[k] + before[k] * before[k] - product)
        }
    }

    /// Does the same for complex samples: tones from −½ to ½ cycles per sample differ.
    package mutating func energies(
        of z: UnsafePointer<Complex>, count: Int, into energies: UnsafeMutablePointer<Float>
    ) {
        let (re, lanes) = (states.claim(), laneCount)
        let im = re + 2 * lanes
        Kernels.floats(z) {
            nbk_goertzel($0, 2, count, coefficients, lanes, re, re + lanes)
            nbk_goertzel($0 + 1, 2, count, coefficients, lanes, im, im + lanes)
        }
        for k in frequencies.indices {
            let before = Complex(re[lanes + k], im[lanes + k])
            energies[k] = (Complex(re[k], im[k]) - turns[k].conjugate * before).power
        }
    }
}
