#if !hasFeature(Embedded)
    import Synchronization
#endif

/// Complex discrete Fourier transform of one fixed length, unnormalised both ways.
///
/// Shape: `[count]` → `[count]`, in place, or from one place to another. `inverse(forward(x)) = count · x`.
/// Immutable after `init`, so one plan serves many threads and copies of a receiver.
///
/// With the package trait `FFTW`, which is on unless it is turned off, FFTW computes it; without, ``MixedRadixTransform`` does,
/// and nothing under the GPL is linked. Another library would be put here.
public final class FFT: Sendable {
    #if FFTW
        private typealias Transform = FFTWTransform
    #else
        private typealias Transform = MixedRadixTransform
    #endif

    public let count: Int
    private let transform: Transform

    public init(count: Int) {
        precondition(count > 0, "an FFT needs at least one point")
        self.count = count
        transform = Transform(count: count)
    }

    #if hasFeature(Embedded)
        /// There are no locks there: each caller has its own.
        public static func shared(count: Int) -> FFT { FFT(count: count) }
    #else
        /// The one of this length that all may share: planning takes a millisecond.
        public static func shared(count: Int) -> FFT {
            planned.withLock { planned in
                if let fft = planned[count] { return fft }
                let fft = FFT(count: count)
                planned[count] = fft
                return fft
            }
        }

        private static let planned = Mutex([Int: FFT]())
    #endif

    /// X[k] = Σ x[n] e^{−j2πkn/count}.
    public func forward(_ x: UnsafeMutablePointer<Complex>) { transform.execute(.forward, x) }

    /// x[n] = Σ X[k] e^{+j2πkn/count}.
    public func inverse(_ x: UnsafeMutablePointer<Complex>) { transform.execute(.inverse, x) }

    /// The same from one place to another, which leaves anything in the first; allocates nothing where both are aligned
    /// to 32 bytes, as ``ScratchBuffer`` is. In place, memory may be asked for.
    public func forward(
        _ x: UnsafeMutablePointer<Complex>, into spectrum: UnsafeMutablePointer<Complex>
    ) {
        transform.execute(.forward, x, into: spectrum)
    }

    public func inverse(
        _ spectrum: UnsafeMutablePointer<Complex>, into x: UnsafeMutablePointer<Complex>
    ) {
        transform.execute(.inverse, spectrum, into: x)
    }
}

/// Sign of a transform's exponent.
enum TransformDirection: Sendable {
    case forward, inverse
}
