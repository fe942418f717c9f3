import Glibc

/// The energies of a list of tones over windows of one length. It uses the quicker way: ``Goertzel`` for a
/// tone alone or tones on no grid, an ``FFT`` for several that are whole cycles of the window.
///
///     E_k = |Σ_n x[n] e^{−j 2π f_k n}|²,   n = 0 … windowCount − 1
///
/// Both ways agree with the plain sum within 10⁻³ of the greatest energy (`ToneBankTests`).
package struct ToneBank: Sendable {
    package enum Method: Sendable, Hashable { case goertzel, transform }

    package let windowCount: Int
    /// The frequencies in cycles per sample.
    package let frequencies: [Double]
    package let method: Method
    private var goertzel: Goertzel
    private var transform: ToneTransform?

    /// The number of tones on the grid beyond which the transform is quicker, for each doubling of the
    /// window. A transform of n samples takes n log₂ n steps, the recursion n for each vector of tones.
    ///
    /// Measured: `nearby-modem bench` prints both costs in a window of 1024, which has ten doublings. There
    /// the transform, of half the length and FFTW's, is quicker from two tones on, 0.6 to 1.3 µs: each step
    /// of the recursion waits for the one before.
    package static let tonesPerDoubling = 0.15

    /// Precondition: the window has at least one sample, and there is at least one tone, all finite.
    package init(windowCount: Int, frequencies: [Double]) {
        let isMany = Double(frequencies.count) > ToneBank.tonesPerDoubling * log2(Double(windowCount))
        let isRegular = ToneTransform.canServe(windowCount: windowCount, frequencies: frequencies)
        self.init(
            windowCount: windowCount, frequencies: frequencies,
            method: isMany && isRegular ? .transform : .goertzel)
    }

    /// Precondition: as above, and the transform can serve the tones if `method` asks for it.
    package init(windowCount: Int, frequencies: [Double], method: Method) {
        precondition(windowCount > 0, "a window has samples")
        self.windowCount = windowCount
        self.frequencies = frequencies
        self.method = method
        goertzel = Goertzel(frequencies: frequencies)
        if method == .transform {
            transform = ToneTransform(windowCount: windowCount, frequencies: frequencies)
        }
    }

    /// Computes the energies of tones. Shape: x `[windowCount]` → energies `[frequencies.count]`. Allocates
    /// nothing.
    package mutating func energies(of x: UnsafePointer<Float>, into energies: UnsafeMutablePointer<Float>) {
        if transform?.energies(of: x, into: energies) == nil {
            goertzel.energies(of: x, count: windowCount, into: energies)
        }
    }

    /// Does the same for complex samples, always by the recursion.
    package mutating func energies(of z: UnsafePointer<Complex>, into energies: UnsafeMutablePointer<Float>) {
        goertzel.energies(of: z, count: windowCount, into: energies)
    }

    /// Returns the energies by their definition, in double precision: tests compare both ways with it.
    package static func reference(_ x: [Float], frequencies: [Double]) -> [Double] {
        frequencies.map { frequency in
            var (re, im) = (0.0, 0.0)
            for n in x.indices {
                let angle = 2 * Double.pi * frequency * Double(n)
                re += Double(x[n]) * cos(angle)
                im -= Double(x[n]) * sin(angle)
            }
            return re * re + im * im
        }
    }
}
