import ArgumentParser
import CommandOutput
import NearbyServer
import NearbyService

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Manage a project's API keys, with which its apps use the server.",
        discussion: """
            A key is printed only once, when it is created: the server keeps only its hash. When a key is revoked, \
            its devices are removed within seconds. A web key is for web pages, and is not secret.
            """,
        subcommands: [List.self, Create.self, Revoke.self], defaultSubcommand: List.self)

    /// Makes a key for web pages. The store keeps its text, because pages show it.
    ///
    /// - Parameter origins: the origins of the pages that may use the key; empty for the server's own page.
    static func makeWebKey(
        _ label: String, origins: [String], of project: Project, in store: any ServiceStore
    ) async throws -> (text: Secret, key: APIKey) {
        var random = SystemRandomNumberGenerator()
        let secret = Secret(.webKey, of: project.id, random: &random)
        let web = WebKey(text: secret.text, origins: origins)
        return (secret, try await store.addKey(secret.hash, label: label, web: web, to: project.id))
    }

    /// Makes a key and delivers it as ``NewKey/tell(_:to:folder:)`` does. A key that cannot be delivered is
    /// revoked at once.
    static func make(
        _ label: String, of project: Project, in store: any ServiceStore, to file: String? = nil,
        folder: String? = nil
    ) async throws {
        var random = SystemRandomNumberGenerator()
        let secret = Secret(.key, of: project.id, random: &random)
        let key = try await store.addKey(secret.hash, label: label, to: project.id)
        try await tell(secret, key, of: project, in: store, to: file, folder: folder)
    }

    private static func tell(
        _ secret: Secret, _ key: APIKey, of project: Project, in store: any ServiceStore, to file: String?,
        folder: String? = nil
    ) async throws {
        do throws(CommandFailure) { try NewKey.tell(secret, to: file, folder: folder) } catch {
            _ = try await store.revokeKey(key.id)
            var failure = error
            let more =
                (key.web == nil ? "" : " --web")
                + (project.name == "default" ? "" : " --project \(project.name)")
            failure.lines.append(
                "the new key could not be handed over, so it was revoked: 'nearby keys create\(more)' makes another"
            )
            throw failure
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the API keys, one per line.")

        @OptionGroup var project: ProjectOptions
        @OptionGroup var store: StoreOptions

        @Flag(help: "Print one JSON object per line.")
        var json = false

        func run() async throws {
            let store = try await store.open()
            let keys = try await store.keys(of: project.find(in: store).id)
            for line in json ? keys.map(object) : TextTable(keys.map(cells)).lines {
                try StandardOutput.write(line)
            }
        }

        private func cells(_ key: APIKey) -> [String] {
            [
                key.id.description, key.isRevoked ? "revoked" : "valid", key.web == nil ? "app" : "web",
                key.label, key.web.map(pages) ?? "",
            ]
        }

        private func pages(_ web: WebKey) -> String {
            web.origins.isEmpty ? "for the server's own page" : "for \(web.origins.joined(separator: " "))"
        }

        private func object(_ key: APIKey) -> String {
            var object = JSONObject()
            object.add("id", Int(key.id.number))
            object.add("label", key.label)
            object.add("isRevoked", key.isRevoked)
            object.add("kind", key.web == nil ? "app" : "web")
            if let web = key.web {
                object.add("key", web.text)
                object.add("origins", web.origins.map(JSONObject.quoted))
            }
            return object.description
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an API key, and print it.",
            discussion: """
                An app's key is secret only as far as the app protects it. A web key (--web) is part of a page, \
                where everybody can read it. The server accepts it only from a browser that states one of the key's \
                origins, to register devices and to ask about beacons; it accepts 20 devices per second with it, in \
                bursts of up to 5000, besides its limits per address.

                  nearby keys create --web --origin https://shop.example
                """)

        @Option(help: ArgumentHelp("Note on what the key is for.", valueName: "words"))
        var label = ""

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Write the key to this new file, which only its owner can read. (default: standard output)",
                valueName: "file"))
        var output: String?

        @Flag(help: "Create a key for web pages.")
        var web = false

        @Option(
            help: ArgumentHelp(
                "With --web: origin of pages that may use the key, such as https://shop.example; may be "
                    + "repeated. (default: the server's own page)",
                valueName: "origin"))
        var origin: [String] = []

        @OptionGroup var project: ProjectOptions
        @OptionGroup var store: StoreOptions

        func validate() throws {
            guard web || origin.isEmpty else { throw ValidationError("--origin needs --web") }
            if origin.contains("*") {
                throw ValidationError(
                    "--origin: expected the origins of pages that may use the key, came '*', which is every page"
                )
            }
            do { _ = try AllowedOrigins(origin) } catch { throw ValidationError("--origin: \(error)") }
        }

        func run() async throws {
            try NewKey.check(output)
            let store = try await store.open()
            let project = try await project.find(in: store)
            guard web else { return try await Keys.make(label, of: project, in: store, to: output) }
            let (text, key) = try await Keys.makeWebKey(
                label, origins: AllowedOrigins(origin).named, of: project, in: store)
            try await Keys.tell(text, key, of: project, in: store, to: output)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke an API key.")

        @Argument(help: "Number of the key, as 'nearby keys list' prints it.")
        var key: Int64

        @OptionGroup var store: StoreOptions

        func run() async throws {
            guard try await store.open().revokeKey(KeyID(key)) else {
                throw CommandFailure(
                    .noInput, "there is no valid key \(key); 'nearby keys list' lists the keys")
            }
        }
    }
}
