import Glibc
import MediumShell

/// A thread that spends most of its time waiting.
enum ServiceThread {
    /// Starts a thread. Returns false if the system has no more threads.
    ///
    /// - Parameter name: the name that `top -H` shows, 15 bytes at most.
    static func start(_ name: String, _ run: @escaping @Sendable () -> Void) -> Bool {
        DeviceThread.start {
            setName(name)
            run()
        } == 0
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
