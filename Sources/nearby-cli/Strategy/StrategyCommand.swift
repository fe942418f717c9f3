import ArgumentParser

struct StrategyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strategy", abstract: "Show how publications and subscriptions use a device's media.",
        subcommands: [StrategyExplain.self])
}
