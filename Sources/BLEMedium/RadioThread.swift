import Glibc
import Nearby

/// A starter of threads that wait for radios.
enum RadioThread {
    private static let stackBytes = 256 << 10

    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Throws: ``BLEError`` if the system has no more threads.
    static func start(_ run: @escaping @Sendable () -> Void) throws(BLEError) {
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
        guard code == 0 else {
            work.release()
            throw BLEError.system(code, "no thread for the radio")
        }
    }
}

/// The engine's time within a thread.
struct RadioClock: Sendable {
    private let start = ContinuousClock.now

    func now() -> Instant { Instant(offset: start.duration(to: .now)) }

    /// Returns the timeout for `poll`, rounded up, so that `time` has passed when it ends.
    func milliseconds(until time: Instant?, atMost limit: Int32) -> Int32 {
        guard let time else { return limit }
        let left = now().duration(to: time) / .milliseconds(1)
        return Int32(min(Double(limit), max(0, left.rounded(.up))))
    }
}
