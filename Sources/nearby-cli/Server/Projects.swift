import ArgumentParser
import CommandOutput
import NearbyServer
import NearbyService

struct Projects: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "projects",
        abstract: "Manage a server's projects; devices find only devices of their own project.",
        subcommands: [List.self, Create.self, Quota.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the projects, one per line.")

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print one JSON object per line.")
        var json = false

        func run() async throws {
            let projects = try await store.open().projects()
            if json {
                for project in projects {
                    var object = JSONObject()
                    object.add("id", Int(project.id.number))
                    object.add("name", project.name)
                    if let quota = project.deviceQuota { object.add("deviceQuota", quota) }
                    try StandardOutput.write(object.description)
                }
            } else {
                for line in TextTable(projects.map { [$0.id.description, $0.name] }).lines {
                    try StandardOutput.write(line)
                }
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a project, and print its first API key.")

        @Argument(help: "Name of the project: 1 to 64 letters, digits, '-', '_' or '.'.")
        var name: String

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Write the key to this new file, which only its owner can read. (default: standard output)",
                valueName: "file"))
        var output: String?

        @OptionGroup var store: StoreOptions

        func validate() throws { try ProjectName.validate(name) }

        func run() async throws {
            try NewKey.check(output)
            let store = try await store.open()
            let project = try await store.createProject(name)
            try await Keys.make("first", of: project, in: store, to: output)
        }
    }

    struct Quota: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set how many devices a project may have at one time.",
            discussion: """
                The limits on reports, bytes and registrations of the whole project grow and shrink with the quota. \
                Running servers apply a new quota within 5 s. Devices beyond a smaller quota stay.
                """)

        @Argument(help: "Name of the project.")
        var name: String

        @Argument(
            help:
                "Number of devices: 1 to 10000000, or 'standard' for \(ServiceSettings().devicesPerProject).")
        var devices: String

        @OptionGroup var store: StoreOptions

        private var quota: Int?? {
            if devices == "standard" { return .some(nil) }
            return Int(devices).flatMap { (1...10_000_000).contains($0) ? $0 : nil }
        }

        func validate() throws {
            guard quota != nil else {
                throw ValidationError("a quota is 1 to 10000000 devices or 'standard', not '\(devices)'")
            }
        }

        func run() async throws {
            let store = try await store.open()
            let project = try await ProjectOptions.find(name, in: store)
            try await store.setQuota(quota!, of: project.id)
        }
    }
}

/// The rule for names of projects.
enum ProjectName {
    /// Throws: 64 if the name is invalid.
    static func validate(_ name: String) throws {
        let isName = name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
        }
        guard isName, (1...64).contains(name.utf8.count) else {
            throw ValidationError("a project's name is 1 to 64 letters, digits, '-', '_' or '.'")
        }
    }
}
