import CFFTW
import Synchronization

/// Complex discrete Fourier transform of one fixed length, unnormalised both ways.
///
/// Shape: `[count]` → `[count]`, in place. `inverse(forward(x)) = count · x`.
/// Immutable after `init`, so one plan serves many threads and copies of a receiver.
/// The only place that knows FFTW: another library would be put here.
public final class FFT: Sendable {
    public let count: Int
    private let forwardPlan: Plan
    private let inversePlan: Plan

    /// FFTW's planner is not thread-safe; its `execute` is.
    private static let planner = Mutex(())

    private struct Plan: @unchecked Sendable { let raw: fftwf_plan }

    public init(count: Int) {
        precondition(count > 0, "an FFT needs at least one point")
        self.count = count
        let plans = FFT.planner.withLock { _ in
            let scratch = fftwf_alloc_complex(count)!
            defer { fftwf_free(scratch) }
            // Unaligned: the buffers are Swift arrays. ESTIMATE: start-up time counts in a command.
            let flags = UInt32(FFTW_ESTIMATE) | UInt32(FFTW_UNALIGNED)
            return (
                Plan(raw: fftwf_plan_dft_1d(Int32(count), scratch, scratch, FFTW_FORWARD, flags)),
                Plan(raw: fftwf_plan_dft_1d(Int32(count), scratch, scratch, FFTW_BACKWARD, flags))
            )
        }
        (forwardPlan, inversePlan) = plans
    }

    deinit {
        FFT.planner.withLock { _ in
            fftwf_destroy_plan(forwardPlan.raw)
            fftwf_destroy_plan(inversePlan.raw)
        }
    }

    /// X[k] = Σ x[n] e^{−j2πkn/count}.
    public func forward(_ x: UnsafeMutablePointer<Complex>) { execute(forwardPlan, x) }

    /// x[n] = Σ X[k] e^{+j2πkn/count}.
    public func inverse(_ x: UnsafeMutablePointer<Complex>) { execute(inversePlan, x) }

    private func execute(_ plan: Plan, _ x: UnsafeMutablePointer<Complex>) {
        x.withMemoryRebound(to: fftwf_complex.self, capacity: count) {
            fftwf_execute_dft(plan.raw, $0, $0)
        }
    }
}
