import ArgumentParser
import CommandOutput

@main
struct NearbyModem: RootCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby-modem", abstract: "Send and receive short tokens as near-ultrasonic sound.",
        discussion: """
            A token is 1 to 32 bytes; a frame is one transmission of it; a profile is a waveform with its \
            parameters. Data goes to standard output, messages to standard error. Exit codes: 0 success, 1 no token \
            received or sent, or no profile works, 64 wrong usage, 65 bad input data, 66 input not found, 69 device \
            unavailable, 70 internal error, 73 output cannot be created, 74 read or write error, 77 no permission, \
            141 output closed by its reader.
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
