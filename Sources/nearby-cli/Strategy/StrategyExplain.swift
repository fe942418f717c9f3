import ArgumentParser
import CommandOutput
import Nearby

struct StrategyExplain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Tell who transmits and who scans, on which medium, and why not.",
        discussion: """
            Prints a row for each direction of each medium: which operations want it, what happens, in which cadence and \
            until when. An operation is words with commas between: audio, ble, broadcast, scan, both, background, \
            earshot, mutual, ttl=SECONDS; what it leaves out is as --medium, --mode and the others say, and 'default' leaves \
            out all. A subscription to beacons alone says beacons, or eddystone for those only, and high-power to find them sooner; \
            with devices it looks for devices too. Without --publish and --subscribe there is one publication of that kind.

              nearby strategy explain --publish audio,scan --subscribe ble,background
            """)

    @Option(help: ArgumentHelp("A publication, again for more.", valueName: "words"))
    var publish: [String] = []

    @Option(help: ArgumentHelp("A subscription, again for more.", valueName: "words"))
    var subscribe: [String] = []

    @OptionGroup(title: "What operations are like that do not say") var standard: StrategyOptions

    @OptionGroup(title: "What the device and its user allow") var conditions: ConditionOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() throws {
        var operations = try operations()
        if operations.isEmpty {
            try standard.strategy.validate()
            operations = [try OperationArgument(.publish, "default", standard: standard.strategy)]
        }
        let report = StrategyReport(operations, conditions.selection)
        for line in json ? report.json : report.text { try StandardOutput.write(line) }
    }

    private func operations() throws -> [OperationArgument] {
        try publish.map { try OperationArgument(.publish, $0, standard: standard.strategy) }
            + subscribe.map { try OperationArgument(.subscribe, $0, standard: standard.strategy) }
    }
}
