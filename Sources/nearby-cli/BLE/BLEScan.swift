import ArgumentParser
import BLEMedium
import CommandOutput
import Nearby

extension BLECommand {
    struct Scan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "scan", abstract: "Print who advertises: beacons, Nearby tokens, other devices.",
            discussion: """
                A line for each, and again when it says something else, once a second at most: when it was heard, how strong it is, \
                its address, what it is, what it says, and about how far away it is, where it says how strong it sends. On a \
                terminal, a table, by when each was first heard. Names and data come from strangers; nothing of them is checked.

                Nobody is asked for anything (a passive scan), but under mgmt:N without --beacons: there the kernel discovers, and \
                each sender is heard once in 3 s.

                Exit codes: 0 something was heard, 1 nothing, 69 no such radio, 77 no permission ('nearby ble doctor' tells more).
                """)

        @OptionGroup var options: RadioOptions

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("End when so many different ones were heard.", valueName: "number"))
        var count: Int?

        @Flag(help: "Only beacons and Nearby tokens.")
        var beacons = false

        @Flag(help: "A line for every advertisement heard, however often.")
        var all = false

        @Flag(help: "Print one JSON object per line.")
        var json = false

        func validate() throws {
            guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count is 1 or more") }
        }

        func run() async throws {
            let radio = RadioRun(name: try options.radio.resolved(), role: .scan, options: options)
            var history = ScanHistory(onlyBeacons: beacons, tellsAll: all)
            var table = ScanTable()
            let isTable = ScanTable.isPossible && !json && !all
            let order = RadioOrder(scan: .foreground, patterns: beacons ? Finding.beaconPatterns : [])
            try await radio(order) { news in
                switch news {
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
                    "nothing was heard\(beacons ? " of a beacon; without --beacons all that advertises counts" : "")"
                )
            }
        }
    }
}
