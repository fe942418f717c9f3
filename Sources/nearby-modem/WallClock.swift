import Glibc

/// Moments of the wall clock, and spans that its changes do not touch.
enum WallClock {
    /// Seconds since 1970.
    static var now: Double { seconds(CLOCK_REALTIME) }

    /// Seconds since some moment.
    static var monotonic: Double { seconds(CLOCK_MONOTONIC) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// "2026-01-31T12:00:00.000Z". Reference: ISO 8601, RFC 3339.
    static func text(_ moment: Double) -> String {
        let milliseconds = Int((moment * 1000).rounded(.down))
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ value: some BinaryInteger, _ count: Int) -> String {
            let text = String(Int(value))
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = [digits(parts.tm_year + 1900, 4), digits(parts.tm_mon + 1, 2), digits(parts.tm_mday, 2)]
        let time = [digits(parts.tm_hour, 2), digits(parts.tm_min, 2), digits(parts.tm_sec, 2)]
        return date.joined(separator: "-") + "T" + time.joined(separator: ":")
            + ".\(digits(milliseconds % 1000, 3))Z"
    }
}
