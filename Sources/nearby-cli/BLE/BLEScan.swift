import ArgumentParser
import BLEMedium
import CommandOutput
import Nearby

extension BLECommand {
    struct Scan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "scan",
            abstract: "List Bluetooth advertisers: beacons, Nearby tokens, other devices.",
            discussion: """
                Prints a line for each advertiser, and another when its data changes, at most once a second: time, \
                signal strength, address, kind, data, and the approximate distance if the sender states its power. \
                On a terminal it draws a table, in the order of first reception. Names and data come from strangers \
                and are not verified.

                The scan is passive: it sends no requests. With mgmt:N and without --beacons, however, the kernel \
                runs a discovery, which sends requests and reports each sender once in 3 s.

                Exit codes: 0 something was received, 1 nothing, 69 no such radio, 77 no permission ('nearby ble \
                doctor' tells more).
                """)

        @OptionGroup var options: RadioOptions

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Stop after this many different senders or beacons.", valueName: "number"))
        var count: Int?

        @Flag(help: "Print only beacons and Nearby tokens.")
        var beacons = false

        @Flag(help: "Print a line for every advertisement received, including repetitions.")
        var all = false

        @Flag(help: "Print one JSON object per line.")
        var json = false

        func validate() throws {
            guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be 1 or more") }
        }

        func run() async throws {
            let radio = RadioRun(name: try options.radio.resolved(), role: .scan, options: options)
            var history = ScanHistory(onlyBeacons: beacons, tellsAll: all)
            var table = ScanTable()
            let isTable = ScanTable.isPossible && !json && !all
            let order = RadioOrder(scan: .foreground, patterns: beacons ? Finding.beaconPatterns : [])
            try await radio(order) { event in
                switch event {
                case .heard(let report, let now):
                    let entries = history.note(report, at: now)
                    if !isTable {
                        for entry in entries {
                            try StandardOutput.write(json ? ScanLines.json(entry) : ScanLines.line(entry))
                        }
                    }
                    return count.map { history.foundCount < $0 } ?? true
                case .second:
                    try StandardOutput.checkReader()
                    if isTable { try table.draw(history.entries) }
                case .works: if StandardError.isTerminal { StandardError.write("scanning on \(radio.name)") }
                }
                return true
            }
            if isTable { try table.draw(history.entries) }
            guard history.foundCount > 0 else {
                throw CommandFailure(
                    .nothingHeard,
                    "no advertisement was received\(beacons ? " from a beacon; leave --beacons out to list all senders" : "")"
                )
            }
        }
    }
}
