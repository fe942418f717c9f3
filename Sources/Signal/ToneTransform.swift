import Glibc

/// The energies of tones that are whole cycles of an even window, by one complex transform of half its
/// length.
///
///     z[m] = x[2m] + j x[2m + 1] ─▶ Z;  X[k] = E + e^{−j 2π k/n} O,  2E = Z[k] + Z[−k]*, 2jO = Z[k] − Z[−k]*
struct ToneTransform: Sendable {
    private let half: FFT
    /// The bin of each tone in the half transform, the mirrored bin, and e^{−j 2π k/n}.
    private let bins: [(bin: Int, mirror: Int, turn: Complex)]
    private var samples: ScratchBuffer<Complex>
    private var spectrum: ScratchBuffer<Complex>

    /// Returns true if every tone has a whole number of cycles, within a millionth, in an even window.
    static func canServe(windowCount: Int, frequencies: [Double]) -> Bool {
        windowCount % 2 == 0
            && frequencies.allSatisfy { frequency in
                let cycles = frequency * Double(windowCount)
                return abs(cycles - cycles.rounded()) < 1e-6
            }
    }

    /// Precondition: ``canServe(windowCount:frequencies:)``.
    init(windowCount: Int, frequencies: [Double]) {
        precondition(
            ToneTransform.canServe(windowCount: windowCount, frequencies: frequencies), "tones off the grid")
        let count = windowCount / 2
        half = FFT(count: count)
        bins = frequencies.map { frequency in
            let cycles = Int((frequency - frequency.rounded(.down)) * Double(windowCount) + 0.5) % windowCount
            let angle = -2 * Double.pi * Double(cycles) / Double(windowCount)
            return (
                cycles % count, (windowCount - cycles) % count, Complex(Float(cos(angle)), Float(sin(angle)))
            )
        }
        samples = ScratchBuffer(count: count, repeating: .zero)
        spectrum = ScratchBuffer(count: count, repeating: .zero)
    }

    mutating func energies(of x: UnsafePointer<Float>, into energies: UnsafeMutablePointer<Float>) {
        let (z, spectrum) = (samples.claim(), spectrum.claim())
        for m in 0..<half.count { z[m] = Complex(x[2 * m], x[2 * m + 1]) }
        half.forward(z, into: spectrum)
        for (k, place) in bins.enumerated() {
            let (a, b) = (spectrum[place.bin], spectrum[place.mirror].conjugate)
            let (even, difference) = (a + b, a - b)
            let odd = Complex(difference.im, -difference.re)
            energies[k] = (even + place.turn * odd).power * 0.25
        }
    }
}
