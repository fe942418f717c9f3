import CALSA
import Glibc

/// A thread for sound.
package final class AudioThread: @unchecked Sendable {
    package static let stackBytes = 256 << 10
    private static let priority: Int32 = 40

    private final class Work {
        let isFirst: Bool
        let run: @Sendable () -> Void
        init(_ isFirst: Bool, _ run: @escaping @Sendable () -> Void) {
            (self.isFirst, self.run) = (isFirst, run)
        }
    }

    /// The thread; `nil` until it exists, so that a failed initializer has nothing to detach.
    private var thread: pthread_t?
    private var isJoined = false

    /// - Parameters:
    ///   - isFirst: true for a real-time priority where the system allows it; otherwise the thread has none.
    ///   - stackBytes: the size of its stack.
    ///
    /// Throws: `.unavailable` if the system has no more threads.
    package init(
        _ path: AudioPath, isFirst: Bool = true, stackBytes: Int = AudioThread.stackBytes,
        _ run: @escaping @Sendable () -> Void
    ) throws(AudioIOError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(isFirst, run))
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                let work = Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue()
                if work.isFirst {
                    var parameters = sched_param(sched_priority: AudioThread.priority)
                    _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
                }
                // Signals are for the main thread.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                work.run()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw AudioIOError(.unavailable, path, "no thread for its sound: \(SystemError.text(code))")
        }
        self.thread = thread
    }

    /// Waits until the thread has ended; returns false if it has not after so many seconds, because a driver
    /// may hang.
    func join(withinSeconds seconds: Int) -> Bool {
        guard let thread, !isJoined else { return true }
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        isJoined = pthread_timedjoin_np(thread, nil, &deadline) == 0
        return isJoined
    }

    deinit {
        if let thread, !isJoined { pthread_detach(thread) }
    }
}
