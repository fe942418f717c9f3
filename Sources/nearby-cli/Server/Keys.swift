import ArgumentParser
import CommandOutput
import NearbyServer
import NearbyService

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "API keys of a project: what its apps carry to get to the server.",
        discussion: """
            A key is printed when it is made, and never again: the server keeps only its hash. The devices of a key that is \
            revoked are gone within seconds.
            """,
        subcommands: [List.self, Create.self, Revoke.self], defaultSubcommand: List.self)

    /// Makes a key and tells it as ``NewKey/tell(_:to:folder:)`` does. A key that cannot be told is worthless at once.
    static func make(
        _ label: String, of project: Project, in store: any ServiceStore, to file: String? = nil,
        folder: String? = nil
    ) async throws {
        var random = SystemRandomNumberGenerator()
        let secret = Secret(.key, of: project.id, random: &random)
        let key = try await store.addKey(secret.hash, label: label, to: project.id)
        do throws(CommandFailure) { try NewKey.tell(secret, to: file, folder: folder) } catch {
            _ = try await store.revokeKey(key.id)
            var failure = error
            let more = project.name == "default" ? "" : " --project \(project.name)"
            failure.lines.append(
                "nobody has the new key, so it was revoked: 'nearby keys create\(more)' makes another")
            throw failure
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the keys there are, one a line.")

        @OptionGroup var project: ProjectOptions
        @OptionGroup var store: StoreOptions

        @Flag(help: "Print one JSON object a line.")
        var json = false

        func run() async throws {
            let store = try await store.open()
            let keys = try await store.keys(of: project.find(in: store).id)
            for line in json ? keys.map(object) : TextTable(keys.map(cells)).lines {
                try StandardOutput.write(line)
            }
        }

        private func cells(_ key: APIKey) -> [String] {
            [key.id.description, key.isRevoked ? "revoked" : "valid", key.label]
        }

        private func object(_ key: APIKey) -> String {
            var object = JSONObject()
            object.add("id", Int(key.id.number))
            object.add("label", key.label)
            object.add("isRevoked", key.isRevoked)
            return object.description
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a key, and print it.")

        @Option(help: ArgumentHelp("What it is for.", valueName: "words"))
        var label = ""

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "A new file for the key, for its owner alone. (default: standard output)", valueName: "file"))
        var output: String?

        @OptionGroup var project: ProjectOptions
        @OptionGroup var store: StoreOptions

        func run() async throws {
            try NewKey.check(output)
            let store = try await store.open()
            let project = try await project.find(in: store)
            try await Keys.make(label, of: project, in: store, to: output)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a key worthless.")

        @Argument(help: "Its number, as 'nearby keys list' has it.")
        var key: Int64

        @OptionGroup var store: StoreOptions

        func run() async throws {
            guard try await store.open().revokeKey(KeyID(key)) else {
                throw CommandFailure(.noInput, "there is no valid key \(key): see nearby keys list")
            }
        }
    }
}
