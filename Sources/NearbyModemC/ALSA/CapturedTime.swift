import Glibc

/// An estimate of how many frames a device lost, from when the others came: after a loss, frames come later
/// than usual.
struct CapturedTime {
    /// The greatest drift of a card's clock against the machine's, in seconds a second.
    private static let drift = 1e-3

    private let rateHz: Double
    private var frames: Int64 = 0
    private var lastSeconds = CapturedTime.nowSeconds
    /// The smallest lateness of recent frames in seconds; `nil` until the first frames come.
    private var usualLateness: Double?
    /// True if the device has stopped since the last frames.
    var isBroken = false

    init(sampleRateHz: Int) { rateHz = Double(sampleRateHz) }

    /// The time on a clock that goes on while the machine sleeps.
    private static var nowSeconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Double(now.tv_sec) + 1e-9 * Double(now.tv_nsec)
    }

    /// Takes frames that came just now. Returns how many are missing before them: more than 2³¹ where a box
    /// slept for 13 hours.
    mutating func add(_ count: Int) -> Int64 {
        let now = CapturedTime.nowSeconds
        frames += Int64(count)
        var lateness = now - Double(frames) / rateHz
        let usual = usualLateness ?? lateness
        let missing = isBroken ? max(0, Int64((lateness - usual) * rateHz)) : 0
        frames += missing
        lateness -= Double(missing) / rateHz
        usualLateness = min(usual + CapturedTime.drift * min(now - lastSeconds, 1), lateness)
        (lastSeconds, isBroken) = (now, false)
        return missing
    }
}
