import CommandOutput
import Glibc

/// The times of the wall clock, and of a clock that its changes do not affect.
enum WallClock {
    /// The time in seconds since 1970.
    static var now: Double { seconds(CLOCK_REALTIME) }

    /// The time in seconds since some fixed moment.
    static var monotonic: Double { seconds(CLOCK_MONOTONIC) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The seconds since the program was started, in steps of 10 ms; `nil` if the system does not report
    /// them.
    static var sinceStart: Double? {
        guard let file = fopen("/proc/self/stat", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [CChar](repeating: 0, count: 4096)
        guard fgets(&bytes, Int32(bytes.count), file) != nil else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // This is field 22, in ticks since the machine started; the program's name, field 2, may contain
        // blanks.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
        return seconds(CLOCK_BOOTTIME) - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns a time as text: "2026-01-31T12:00:00.000Z". Reference: ISO 8601, RFC 3339.
    static func text(_ moment: Double) -> String {
        let milliseconds = Int((moment * 1000).rounded(.down))
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ value: Int32, _ count: Int) -> String {
            FixedPoint.digits(of: UInt(max(0, value)), count)
        }
        let date =
            digits(parts.tm_year + 1900, 4) + "-" + digits(parts.tm_mon + 1, 2) + "-"
            + digits(parts.tm_mday, 2)
        let time = digits(parts.tm_hour, 2) + ":" + digits(parts.tm_min, 2) + ":" + digits(parts.tm_sec, 2)
        return date + "T" + time + "." + digits(Int32(milliseconds % 1000), 3) + "Z"
    }
}
