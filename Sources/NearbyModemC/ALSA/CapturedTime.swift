import Glibc

/// How many frames a device lost, from when the others came: they come late, by no less than usual.
struct CapturedTime {
    /// A card's clock against the machine's, seconds a second at most.
    private static let drift = 1e-3

    private let rateHz: Double
    private var frames: Int64 = 0
    private var lastSeconds = CapturedTime.nowSeconds
    /// The least of late.
    private var usualLateness: Double?
    /// The device has stopped since the last frames.
    var isBroken = false

    init(sampleRateHz: Int) { rateHz = Double(sampleRateHz) }

    /// Goes on while the machine sleeps.
    private static var nowSeconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Double(now.tv_sec) + 1e-9 * Double(now.tv_nsec)
    }

    /// Takes frames that came just now, and returns how many are missing before them.
    mutating func add(_ count: Int) -> Int {
        let now = CapturedTime.nowSeconds
        frames += Int64(count)
        var lateness = now - Double(frames) / rateHz
        let usual = usualLateness ?? lateness
        let missing = isBroken ? max(0, Int((lateness - usual) * rateHz)) : 0
        frames += Int64(missing)
        lateness -= Double(missing) / rateHz
        usualLateness = min(usual + CapturedTime.drift * min(now - lastSeconds, 1), lateness)
        (lastSeconds, isBroken) = (now, false)
        return missing
    }
}
