import Glibc

/// A thread that spends most of its time waiting.
enum ServiceThread {
    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread. Returns false if the system has no more threads.
    ///
    /// - Parameter name: the name that `top -H` shows, 15 bytes at most.
    static func start(_ name: String, _ run: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 256 << 10)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let work = Unmanaged.passRetained(
            Work {
                setName(name)
                run()
            })
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        if code != 0 { work.release() }
        return code == 0
    }

    /// Names the calling thread. Swift does not import `pthread_setname_np`; glibc uses this file for other
    /// threads.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        // Without /proc the thread keeps its program's name.
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        close(file)
    }
}
