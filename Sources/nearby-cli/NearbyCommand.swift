import ArgumentParser
import CommandOutput

@main
struct NearbyCommand: RootCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby",
        abstract: "Devices that find one another by sound and by Bluetooth, and why they do or do not.",
        discussion: """
            Data goes to standard output, words to standard error. Exit codes: 0 done, 1 nobody and nothing found, 64 wrong \
            usage, 65 bad data, 66 no such thing, 69 not available, 70 a fault of the program, 73 output cannot be created, \
            74 writing failed, 77 no permission, 141 nobody reads the output any more.
            """,
        version: productVersion,
        subcommands: [
            Demo.self, Find.self, Publish.self, Subscribe.self, StrategyCommand.self, Serve.self,
            Projects.self,
            Keys.self, Beacons.self, Offline.self, BLECommand.self, Stb.self,
        ])

    static let fileOptions: Set<String> = [
        "-o", "--output", "--file", "--key-file", "--store-file", "--first-key-file", "--identity-key",
        "--trust",
        "--certificate", "--private-key", "--web-root", "--offline", "--signer", "--capture-file",
        "--playback",
        "--capture",
        "--config", "--check",
    ]
    static let fileCommands: Set<String> = ["offline show", "beacons import"]

    static func main() async { await startWaiting() }
}
