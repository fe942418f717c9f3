import ArgumentParser
import CommandOutput
import NearbyOffline

/// The commands for key files of projects without a server.
struct Offline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offline",
        abstract: "Manage key files, with which devices find one another without a server.",
        discussion: """
            All devices of a project share its key file. A publisher can sign its messages with a key; a subscriber \
            that names the public key accepts only messages with that signature.

              nearby offline create shop -o shop.key
              nearby publish 'in the hall' --offline shop.key
              nearby subscribe --offline shop.key
            """,
        subcommands: [Create.self, Signer.self, Show.self])

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a project's key in a new file.")

        @Argument(help: "The project's name: 1 to 64 letters, digits, '-', '_' or '.'.")
        var name: String

        @Option(name: .shortAndLong, help: ArgumentHelp("Key file to create.", valueName: "file"))
        var output: String

        func validate() throws { try ProjectName.validate(name) }

        func run() throws {
            var random = SystemRandomNumberGenerator()
            try SecretFile.create(output, OfflineProject(name: name, random: &random).keyFile)
            StandardError.write(
                "\(output): copy this file to all devices of '\(name)', and show it to nobody else")
        }
    }

    struct Signer: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a publisher's key in a new file, and print its public key.")

        @Option(name: .shortAndLong, help: ArgumentHelp("Key file to create.", valueName: "file"))
        var output: String

        func run() throws {
            let key = PublisherKey()
            try SecretFile.create(output, key.keyFile)
            try StandardOutput.write("\(key.publisher)")
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what a key file belongs to: a project's name, or a publisher's public key.")

        @Argument(help: "Key file to read.")
        var file: String

        func run() throws {
            let text = try SecretFile.read(file)
            if let key = try? PublisherKey(keyFile: text) {
                try StandardOutput.write("publisher \(key.publisher)")
            } else {
                try StandardOutput.write("project \(OfflineProject(text, of: file).name)")
            }
        }
    }
}
