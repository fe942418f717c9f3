import ArgumentParser
import CommandOutput
import Nearby

struct StrategyExplain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain what is broadcast and scanned for on each medium, or why not.",
        discussion: """
            Prints a row for each direction of each medium: the operations (publications and subscriptions) that \
            need it, what the device does, how often, and until when. An operation is a list of words separated by \
            commas: audio, ble, broadcast, scan, both, background, earshot, mutual, ttl=SECONDS. Options such as \
            --medium set what the list leaves out; 'default' leaves out everything. For a subscription to beacons \
            the words are beacons, or eddystone for those only; high-power to find them sooner; devices to find \
            devices too. Without --publish and --subscribe, one publication with these defaults is explained.

              nearby strategy explain --publish audio,scan --subscribe ble,background
            """)

    @Option(help: ArgumentHelp("Words of a publication; may be repeated.", valueName: "words"))
    var publish: [String] = []

    @Option(help: ArgumentHelp("Words of a subscription; may be repeated.", valueName: "words"))
    var subscribe: [String] = []

    @OptionGroup(title: "Defaults of operations") var standard: StrategyOptions

    @OptionGroup(title: "State of the device") var conditions: ConditionOptions

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
