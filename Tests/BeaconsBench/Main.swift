import Beacons
import CAllocationCount
import Glibc

/// A benchmark of reading beacons: see `Tools/bench/beacons`. It prints a line for each measurement: name,
/// tab, number, tab, unit.
@main
enum BeaconsBench {
    static func main() {
        ReportBench().run()
        for count in [1000, 10_000, 100_000] { ResolverBench(beacons: count).run() }
    }

    static func say(_ name: String, _ number: Double, _ unit: String) {
        print(name, String(Int64((number * 100).rounded()) / 100) + fraction(number), unit, separator: "\t")
    }

    /// Returns two decimal digits.
    private static func fraction(_ number: Double) -> String {
        let hundredths = Int64((number * 100).rounded()) % 100
        return hundredths < 10 ? ".0\(hundredths)" : ".\(hundredths)"
    }

    /// Returns the processor time of one of `count` runs in ns. It is the least of seven rounds, because the
    /// machine's other work only slows a round down.
    static func nanoseconds(_ count: Int, _ body: () -> Void) -> Double {
        var least = Double.infinity
        for _ in 0..<7 {
            let before = now()
            body()
            least = min(least, (now() - before) / Double(count))
        }
        return least
    }

    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
