import CFFTW
import Synchronization

/// Complex discrete Fourier transform of one fixed length, unnormalised both ways.
///
/// Shape: `[count]` → `[count]`, in place. `inverse(forward(x)) = count · x`.
/// Immutable after `init`, so one plan serves many threads and copies of a receiver.
/// The only place that knows FFTW: another library would be put here.
public final class FFT: Sendable {
    public let count: Int
    /// For memory aligned as FFTW's own, and for any other.
    private let forwardPlans: (aligned: Plan, any: Plan)
    private let inversePlans: (aligned: Plan, any: Plan)

    /// FFTW's planner is not thread-safe; its `execute` is.
    private static let planner = Mutex(())

    private struct Plan: @unchecked Sendable { let raw: fftwf_plan }

    public init(count: Int) {
        precondition(count > 0, "an FFT needs at least one point")
        self.count = count
        (forwardPlans, inversePlans) = FFT.planner.withLock { _ in
            let scratch = fftwf_alloc_complex(count)!
            defer { fftwf_free(scratch) }
            func plan(_ sign: Int32, _ alignment: UInt32) -> Plan {
                // ESTIMATE: start-up time counts in a command.
                let flags = UInt32(FFTW_ESTIMATE) | alignment
                return Plan(raw: fftwf_plan_dft_1d(Int32(count), scratch, scratch, sign, flags))
            }
            return (
                (plan(FFTW_FORWARD, 0), plan(FFTW_FORWARD, UInt32(FFTW_UNALIGNED))),
                (plan(FFTW_BACKWARD, 0), plan(FFTW_BACKWARD, UInt32(FFTW_UNALIGNED)))
            )
        }
    }

    deinit {
        FFT.planner.withLock { _ in
            for plan in [forwardPlans.aligned, forwardPlans.any, inversePlans.aligned, inversePlans.any] {
                fftwf_destroy_plan(plan.raw)
            }
        }
    }

    /// X[k] = Σ x[n] e^{−j2πkn/count}.
    public func forward(_ x: UnsafeMutablePointer<Complex>) { execute(forwardPlans, x) }

    /// x[n] = Σ X[k] e^{+j2πkn/count}.
    public func inverse(_ x: UnsafeMutablePointer<Complex>) { execute(inversePlans, x) }

    private func execute(_ plans: (aligned: Plan, any: Plan), _ x: UnsafeMutablePointer<Complex>) {
        x.withMemoryRebound(to: fftwf_complex.self, capacity: count) { samples in
            let isAligned = samples.withMemoryRebound(to: Float.self, capacity: 2 * count) {
                fftwf_alignment_of($0) == 0
            }
            fftwf_execute_dft((isAligned ? plans.aligned : plans.any).raw, samples, samples)
        }
    }
}
