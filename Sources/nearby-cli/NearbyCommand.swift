import ArgumentParser
import CommandOutput

@main
struct NearbyCommand: RootCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby",
        abstract: "Find nearby devices and exchange messages with them, by sound and Bluetooth.",
        discussion: """
            Devices broadcast short tokens and scan for those of others; a server or a shared key turns tokens into \
            messages. Data goes to standard output, messages to standard error. Exit codes: 0 success, 1 nothing \
            found, 64 wrong usage, 65 bad input data, 66 input not found, 69 unavailable, 70 internal error, 73 \
            output cannot be created, 74 write error, 77 no permission, 141 output closed by its reader.
            """,
        version: productVersion,
        subcommands: [
            Demo.self, Find.self, Publish.self, Subscribe.self, Engine.self, StrategyCommand.self, Serve.self,
            Admin.self, Projects.self, Keys.self, Beacons.self, Offline.self, BLECommand.self, Stb.self,
        ])

    static let fileOptions: Set<String> = [
        "-o", "--output", "--file", "--key-file", "--store-file", "--first-key-file", "--identity-key",
        "--trust",
        "--certificate", "--private-key", "--web-root", "--offline", "--signer", "--capture-file",
        "--playback",
        "--capture",
        "--config", "--check", "--admin-socket", "--audit-log", "--socket",
    ]
    static let fileCommands: Set<String> = ["offline show", "beacons import"]

    static func main() async { await startWaiting() }
}
