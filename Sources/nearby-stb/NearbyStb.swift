import ArgumentParser
import CommandOutput
import SetTopBoxService

/// A program that is nothing but `nearby stb`: without the server, Bluetooth and pictures it weighs less.
@main
struct NearbyStb: RootCommand, AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby-stb", abstract: StbOptions.abstract, discussion: StbOptions.discussion,
        version: productVersion)

    @OptionGroup var options: StbOptions

    func run() async throws { try await options.run() }

    static let fileOptions: Set<String> = ["--config", "--check"]
    static let fileCommands: Set<String> = []

    static func main() async { await startWaiting() }
}
