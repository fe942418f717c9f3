import ArgumentParser

/// A benchmark of a set-top box in simulated air: the time until messages arrive, and whether each arrives
/// once in a day.
@main
struct StbBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stb-bench", abstract: "A set-top box in simulated air.",
        subcommands: [FoundRun.self, SoakRun.self])
}
