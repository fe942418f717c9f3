import ArgumentParser
import Glibc
import SetTopBox

/// A day of a box: visitors, a player that takes the loudspeaker, a server that goes and forgets, quiet
/// hours, new configurations.
struct SoakRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "A day in the life of a box: every message once, rotation on time, memory flat.")

    @Option(help: "Of virtual time.")
    var hours = 24.0

    @Option(help: "Of everything that happens.")
    var seed: UInt64 = 1

    func run() throws {
        var day = try SoakDay(seed: seed)
        print(
            "| hour | visits | messages that must arrive | arrived of them | twice | others | resident MB |")
        print("|---|---|---|---|---|---|---|")
        for hour in stride(from: 1.0, through: hours, by: 1) {
            try day.run(untilSeconds: 3600 * hour)
            let counts = day.counts
            print(
                "| \(Int(hour)) | \(counts.visits) | \(counts.due) | \(counts.arrived) | \(counts.twice) | \(counts.others) | \(SoakRun.residentMB) |"
            )
            fflush(nil)
        }
        let rotations = day.room.rotationSeconds
        print(
            """

            \(day.room.sentCount) frames sent; \(day.playerStops) times the loudspeaker was taken, \(day.serverLosses) server \
            losses, \(day.serverRestarts) servers without memory, \(day.reloads) configurations read again, \
            \(day.quietCount) quiet hours kept; \(rotations.count) tokens that nothing interrupted, for \
            \(Int((rotations.min() ?? 0).rounded())) to \(Int((rotations.max() ?? 0).rounded())) s of 60 to 300
            """)
        let isGood =
            day.counts.twice == 0 && day.counts.arrived == day.counts.due && (rotations.max() ?? 0) <= 301
        if !isGood { throw ExitCode(1) }
    }

    /// The resident memory of this process in MB with one decimal place.
    static var residentMB: String {
        guard let file = fopen("/proc/self/statm", "r") else { return "?" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return "?" }
        let letters = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let words = String(decoding: letters, as: UTF8.self).split(separator: " ")
        let bytes = (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        return String(Double(bytes / 100_000) / 10)
    }
}
