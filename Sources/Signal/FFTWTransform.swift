#if FFTW
    import CFFTW
    import Synchronization

    /// The ``FFT`` by FFTW, whose licence is the GPL. Alternative: ``MixedRadixTransform``, which needs no
    /// other library.
    final class FFTWTransform: Sendable {
        private let count: Int
        private let forwards: Plans
        private let inverses: Plans

        /// FFTW's planner is not thread-safe; its `execute` is.
        private static let planner = Mutex(())

        /// Plans in place, for memory aligned like FFTW's own and for any other; and from one place to any
        /// other.
        private struct Plans: @unchecked Sendable {
            let aligned: fftwf_plan
            let any: fftwf_plan
            let moving: fftwf_plan

            init(_ count: Int, _ sign: Int32, _ here: UnsafeMutablePointer<fftwf_complex>) {
                // ESTIMATE plans quickly: start-up time counts in a command.
                func plan(_ there: UnsafeMutablePointer<fftwf_complex>, _ flags: Int) -> fftwf_plan {
                    fftwf_plan_dft_1d(Int32(count), here, there, sign, UInt32(FFTW_ESTIMATE) | UInt32(flags))
                }
                aligned = plan(here, 0)
                any = plan(here, Int(FFTW_UNALIGNED))
                moving = plan(here + count, Int(FFTW_DESTROY_INPUT))
            }

            func destroy() { for plan in [aligned, any, moving] { fftwf_destroy_plan(plan) } }
        }

        init(count: Int) {
            self.count = count
            (forwards, inverses) = FFTWTransform.planner.withLock { _ in
                let scratch = fftwf_alloc_complex(2 * count)!
                defer { fftwf_free(scratch) }
                return (Plans(count, FFTW_FORWARD, scratch), Plans(count, FFTW_BACKWARD, scratch))
            }
        }

        deinit {
            FFTWTransform.planner.withLock { _ in
                forwards.destroy()
                inverses.destroy()
            }
        }

        private func plans(_ direction: TransformDirection) -> Plans {
            direction == .forward ? forwards : inverses
        }

        func execute(
            _ direction: TransformDirection, _ here: UnsafeMutablePointer<Complex>,
            into there: UnsafeMutablePointer<Complex>
        ) {
            if FFTWTransform.isAligned(here) && FFTWTransform.isAligned(there) {
                fftwf_execute_dft(
                    plans(direction).moving, FFTWTransform.raw(here), FFTWTransform.raw(there))
            } else {
                execute(direction, here)
                there.copy(from: here, count: count)
            }
        }

        func execute(_ direction: TransformDirection, _ x: UnsafeMutablePointer<Complex>) {
            let samples = FFTWTransform.raw(x)
            let plans = plans(direction)
            fftwf_execute_dft(FFTWTransform.isAligned(x) ? plans.aligned : plans.any, samples, samples)
        }

        /// Returns true if memory is aligned like FFTW's own.
        private static func isAligned(_ x: UnsafeMutablePointer<Complex>) -> Bool {
            fftwf_alignment_of(UnsafeMutableRawPointer(x).assumingMemoryBound(to: Float.self)) == 0
        }

        private static func raw(_ x: UnsafeMutablePointer<Complex>) -> UnsafeMutablePointer<fftwf_complex> {
            UnsafeMutableRawPointer(x).assumingMemoryBound(to: fftwf_complex.self)
        }
    }
#endif
