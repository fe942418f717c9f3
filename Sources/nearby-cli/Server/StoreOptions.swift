import ArgumentParser
import CommandOutput
import FoundationEssentials
import NearbyPostgres
import NearbyServer
import NearbyService

/// Where a server keeps what outlives it.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the server's database, made if it is not there. (default: nearby in $XDG_DATA_HOME, or "
                + "~/.local/share/nearby)", valueName: "folder"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database instead, for any number of servers: postgres://user:password@host:port/database.",
            valueName: "URL"))
    var store: String?

    func validate() throws {
        guard let store else { return }
        guard data == nil else { throw ValidationError("either --data or --store") }
        guard PostgresStore.isURL(store) else {
            throw ValidationError("--store: a URL is wanted: postgres://user:password@host:port/database")
        }
    }

    /// Throws: 69 when the database does not answer, 73 when no folder or file can be made.
    func open() async throws -> any ServiceStore {
        if let store { return try await PostgresStore(url: store) }
        return try openFile()
    }

    private func openFile() throws(CommandFailure) -> any ServiceStore {
        let folder = data ?? StoreOptions.standardFolder
        do {
            // Names of projects and messages of devices are nobody else's business.
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(.cannotCreate, "--data \(folder): no folder, and none can be made there")
        }
        do throws(StoreError) {
            return try SQLiteStore(path: folder + "/nearby.sqlite")
        } catch {
            throw CommandFailure(.cannotCreate, "\(error)")
        }
    }

    private static var standardFolder: String {
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/nearby" }
        return (environment["HOME"] ?? "/") + "/.local/share/nearby"
    }
}

/// One of the projects.
struct ProjectOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The project's name.", valueName: "name"))
    var project = "default"

    /// Throws: 66 when there is none of that name.
    func find(in store: any ServiceStore) async throws -> Project {
        let projects = try await store.projects()
        guard let found = projects.first(where: { $0.name == project }) else {
            let names = projects.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .noInput, "--project \(project): there is \(names.isEmpty ? "none yet" : "only \(names)")")
        }
        return found
    }
}

extension StoreError: ExitStatusBearing {
    package var exitStatus: ExitStatus {
        switch self {
        case .exists: .usage
        case .full: .noPermission
        case .failed, .superseded, .changed: .unavailable
        }
    }
}
