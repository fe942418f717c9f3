import Nearby

/// A timer that restarts a scan of short windows, so that these do not stay in step with a sender's
/// frames. A value.
struct ScanPhase: Sendable {
    private var scan: RadioOrder.Scan?
    private var change: Instant?
    private(set) var isPaused = false

    var nextDeadline: Instant? { change }

    mutating func follow(_ scan: RadioOrder.Scan?, now: Instant, _ random: inout some RandomNumberGenerator) {
        if scan != self.scan {
            self.scan = scan
            (isPaused, change) = (false, scan?.restart.map { now + $0 })
        }
        guard let scan, let restart = scan.restart, let due = change, due <= now else { return }
        isPaused.toggle()
        let share = Double(random.next() >> 11) * 0x1p-53
        change = now + (isPaused ? scan.interval * share : restart)
    }
}
