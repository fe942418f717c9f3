#if !hasFeature(Embedded)
    import Synchronization
#endif

/// Complex discrete Fourier transform of one fixed length, unnormalised both ways.
///
/// Shape: `[count]` → `[count]`, in place, or from one place to another. `inverse(forward(x)) = count · x`.
/// Immutable after `init`, so one plan serves many threads and copies of a receiver.
///
/// With the package trait `FFTW`, which is on by default, FFTW computes it. Without the trait
/// ``MixedRadixTransform`` does, and nothing under the GPL is linked. Another library would be added here.
package final class FFT: Sendable {
    #if FFTW
        private typealias Transform = FFTWTransform
    #else
        private typealias Transform = MixedRadixTransform
    #endif

    package let count: Int
    private let transform: Transform

    package init(count: Int) {
        precondition(count > 0, "an FFT needs at least one point")
        self.count = count
        transform = Transform(count: count)
    }

    #if hasFeature(Embedded)
        /// This platform has no locks: each caller has its own.
        package static func shared(count: Int) -> FFT { FFT(count: count) }
    #else
        /// Returns the transform of this length that all share: planning takes a millisecond.
        package static func shared(count: Int) -> FFT {
            planned.withLock { planned in
                if let fft = planned[count] { return fft }
                let fft = FFT(count: count)
                planned[count] = fft
                return fft
            }
        }

        private static let planned = Mutex([Int: FFT]())
    #endif

    /// Computes X[k] = Σ x[n] e^{−j2πkn/count} in place.
    package func forward(_ x: UnsafeMutablePointer<Complex>) { transform.execute(.forward, x) }

    /// Computes x[n] = Σ X[k] e^{+j2πkn/count} in place.
    package func inverse(_ x: UnsafeMutablePointer<Complex>) { transform.execute(.inverse, x) }

    /// Transforms from one place to another, and leaves arbitrary values in the first. It allocates nothing
    /// if both are aligned to 32 bytes, as ``ScratchBuffer`` is; in place, it may allocate memory.
    package func forward(
        _ x: UnsafeMutablePointer<Complex>, into spectrum: UnsafeMutablePointer<Complex>
    ) {
        transform.execute(.forward, x, into: spectrum)
    }

    package func inverse(
        _ spectrum: UnsafeMutablePointer<Complex>, into x: UnsafeMutablePointer<Complex>
    ) {
        transform.execute(.inverse, spectrum, into: x)
    }
}

/// The sign of a transform's exponent.
enum TransformDirection: Sendable {
    case forward, inverse
}
