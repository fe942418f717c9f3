import ArgumentParser
import CommandOutput

@main
struct NearbyModem: RootCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby-modem", abstract: "Tokens to near-ultrasonic sound and back.",
        discussion: """
            Data goes to standard output, words to standard error. Exit codes: 0 done, 1 no token heard or sent, or none would \
            be, 64 wrong usage, 65 unreadable sound, 66 no such input, 69 not available, 70 a fault of the program, 73 output \
            cannot be created, 74 reading or writing failed, 77 no permission, 141 nobody reads the output any more.
            """,
        version: productVersion,
        subcommands: [
            Encode.self, Decode.self, Listen.self, Transmit.self, Devices.self, Plot.self, Probe.self,
            ChannelCommand.self, Curve.self, Bench.self, Profiles.self,
        ])

    static let fileOptions: Set<String> = [
        "-o", "--output", "--mix", "--programme", "--room", "--record", "--snip", "--file", "--write",
        "--tokens",
        "--resume",
    ]
    static let fileCommands: Set<String> = ["decode", "plot", "channel"]

    static func main() { start() }
}
