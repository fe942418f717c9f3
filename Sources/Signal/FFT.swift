import CFFTW
import Synchronization

/// Complex discrete Fourier transform of one fixed length, unnormalised both ways.
///
/// Shape: `[count]` → `[count]`, in place, or from one place to another. `inverse(forward(x)) = count · x`.
/// Immutable after `init`, so one plan serves many threads and copies of a receiver.
/// The only place that knows FFTW: another library would be put here.
public final class FFT: Sendable {
    public let count: Int
    private let forwards: Plans
    private let inverses: Plans

    /// FFTW's planner is not thread-safe; its `execute` is.
    private static let planner = Mutex(())

    /// In place, for memory aligned as FFTW's own and for any other; and from one place to any other.
    private struct Plans: @unchecked Sendable {
        let aligned: fftwf_plan
        let any: fftwf_plan
        let moving: fftwf_plan

        init(_ count: Int, _ sign: Int32, _ here: UnsafeMutablePointer<fftwf_complex>) {
            // ESTIMATE: start-up time counts in a command.
            func plan(_ there: UnsafeMutablePointer<fftwf_complex>, _ flags: Int) -> fftwf_plan {
                fftwf_plan_dft_1d(Int32(count), here, there, sign, UInt32(FFTW_ESTIMATE) | UInt32(flags))
            }
            aligned = plan(here, 0)
            any = plan(here, Int(FFTW_UNALIGNED))
            moving = plan(here + count, Int(FFTW_DESTROY_INPUT))
        }

        func destroy() { for plan in [aligned, any, moving] { fftwf_destroy_plan(plan) } }
    }

    public init(count: Int) {
        precondition(count > 0, "an FFT needs at least one point")
        self.count = count
        (forwards, inverses) = FFT.planner.withLock { _ in
            let scratch = fftwf_alloc_complex(2 * count)!
            defer { fftwf_free(scratch) }
            return (Plans(count, FFTW_FORWARD, scratch), Plans(count, FFTW_BACKWARD, scratch))
        }
    }

    deinit {
        FFT.planner.withLock { _ in
            forwards.destroy()
            inverses.destroy()
        }
    }

    /// X[k] = Σ x[n] e^{−j2πkn/count}.
    public func forward(_ x: UnsafeMutablePointer<Complex>) { execute(forwards, x) }

    /// x[n] = Σ X[k] e^{+j2πkn/count}.
    public func inverse(_ x: UnsafeMutablePointer<Complex>) { execute(inverses, x) }

    /// The same from one place to another, which leaves anything in the first; allocates nothing where both are aligned
    /// to 32 bytes, as ``ScratchBuffer`` is. In place, the library may allocate.
    public func forward(
        _ x: UnsafeMutablePointer<Complex>, into spectrum: UnsafeMutablePointer<Complex>
    ) {
        execute(forwards, x, into: spectrum)
    }

    public func inverse(
        _ spectrum: UnsafeMutablePointer<Complex>, into x: UnsafeMutablePointer<Complex>
    ) {
        execute(inverses, spectrum, into: x)
    }

    private func execute(
        _ plans: Plans, _ here: UnsafeMutablePointer<Complex>, into there: UnsafeMutablePointer<Complex>
    ) {
        if FFT.isAligned(here) && FFT.isAligned(there) {
            fftwf_execute_dft(plans.moving, FFT.raw(here), FFT.raw(there))
        } else {
            execute(plans, here)
            there.update(from: here, count: count)
        }
    }

    private func execute(_ plans: Plans, _ x: UnsafeMutablePointer<Complex>) {
        let samples = FFT.raw(x)
        fftwf_execute_dft(FFT.isAligned(x) ? plans.aligned : plans.any, samples, samples)
    }

    /// As FFTW's own memory is.
    private static func isAligned(_ x: UnsafeMutablePointer<Complex>) -> Bool {
        fftwf_alignment_of(UnsafeMutableRawPointer(x).assumingMemoryBound(to: Float.self)) == 0
    }

    private static func raw(_ x: UnsafeMutablePointer<Complex>) -> UnsafeMutablePointer<fftwf_complex> {
        UnsafeMutableRawPointer(x).assumingMemoryBound(to: fftwf_complex.self)
    }
}
