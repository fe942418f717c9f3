import ArgumentParser

struct StrategyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strategy", abstract: "What publications and subscriptions make of a device's media.",
        subcommands: [StrategyExplain.self])
}
