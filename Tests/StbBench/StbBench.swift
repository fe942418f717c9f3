import ArgumentParser

/// A set-top box in simulated air: how soon messages arrive, and whether each arrives once for a day.
@main
struct StbBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stb-bench", abstract: "A set-top box in simulated air.",
        subcommands: [FoundRun.self, SoakRun.self])
}
