import Glibc

/// A starter of threads that wait for devices.
package enum DeviceThread {
    private static let stackBytes = 256 << 10

    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that runs `run` and ends. Returns 0, or the error of the system that has no more
    /// threads.
    package static func start(_ run: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let work = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                // Signals are for the main thread.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        if code != 0 { work.release() }
        return code
    }
}
