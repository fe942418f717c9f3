import Glibc

/// A wake signal for a thread that polls it.
package final class WakePipe: Sendable {
    /// The descriptor that is readable after ``wake()``, for `poll`.
    package let reading: Int32
    private let writing: Int32

    /// Returns `nil` if the system has no pipe; `errno` says why.
    package init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Wakes the thread. A full pipe wakes it as well, so a failed write does no harm.
    package func wake() { _ = write(writing, [1], 1) }

    package func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) == bytes.count {}
    }

    /// Waits until somebody wakes, or until `end`.
    package func wait(until end: ContinuousClock.Instant) {
        // Rounded up, so that the time has passed when the wait ends.
        let milliseconds = (ContinuousClock.now.duration(to: end) / .milliseconds(1)).rounded(.up)
        var wait = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        poll(&wait, 1, Int32(min(60_000, max(0, milliseconds))))
        clear()
    }
}
