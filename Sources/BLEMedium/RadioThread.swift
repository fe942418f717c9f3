import MediumShell
import Nearby

/// A starter of threads that wait for radios.
enum RadioThread {
    /// Throws: ``BLEError`` if the system has no more threads.
    static func start(_ run: @escaping @Sendable () -> Void) throws(BLEError) {
        let code = DeviceThread.start(run)
        guard code == 0 else { throw BLEError.system(code, "no thread for the radio") }
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
