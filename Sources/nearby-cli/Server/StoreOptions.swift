import ArgumentParser
import CommandOutput
import FoundationEssentials
import NearbyPostgres
import NearbyServer
import NearbyService

/// The options for the store, which keeps a server's data beyond its runtime.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the server's database, created if missing. (default: nearby in $XDG_DATA_HOME, or "
                + "~/.local/share/nearby)", valueName: "folder"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Use a PostgreSQL database instead, which several servers can share: "
                + "postgres://user@host:port/database. Its password comes from $PGPASSFILE or ~/.pgpass; "
                + "other users of this machine can read (ps) a password in the URL.",
            valueName: "URL"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "Read that URL, with its password, from this file; - for standard input. (default: the URL in "
                + "$NEARBY_STORE)", valueName: "file"))
    var storeFile: String?

    func validate() throws {
        guard [data, store, storeFile].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("give only one of --data, --store and --store-file")
        }
        guard let store else { return }
        Redaction.learnPassword(ofURL: store)
        if let problem = PostgresStore.problem(ofURL: store) { throw ValidationError("--store: \(problem)") }
    }

    /// `true` if the store is a PostgreSQL database, which several servers may share, and not a file on this
    /// machine.
    var isShared: Bool { store != nil || storeFile != nil || environmentURL != nil }

    /// The folder of the database file; `nil` if the store is a PostgreSQL database.
    var folder: String? { isShared ? nil : data ?? StoreOptions.standardFolder }

    /// Opens the store. Throws: 64 or 65 for an invalid URL; 66 or 77 for its file; 69 if the database does
    /// not answer; 73 if the folder or file cannot be created.
    func open() async throws -> any ServiceStore {
        if let url = try url() { return try await PostgresStore(url: url) }
        return try openFile()
    }

    private var environmentURL: String? {
        guard data == nil else { return nil }
        return ProcessInfo.processInfo.environment["NEARBY_STORE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The URL of the PostgreSQL database; `nil` if there is none.
    private func url() throws(CommandFailure) -> String? {
        if let store {
            if URLPassword.find(in: store) != nil {
                StandardError.write(
                    "--store: other users of this machine can read its password (ps); use --store-file, $NEARBY_STORE or ~/.pgpass"
                )
            }
            return store
        }
        guard let url = try storeFile.map(SecretFile.word) ?? environmentURL else { return nil }
        Redaction.learnPassword(ofURL: url)
        if let problem = PostgresStore.problem(ofURL: url) {
            let source = storeFile.map { "--store-file \($0)" } ?? "$NEARBY_STORE"
            throw CommandFailure(storeFile == nil ? .usage : .badData, "\(source): \(problem)")
        }
        return url
    }

    private func openFile() throws(CommandFailure) -> any ServiceStore {
        let folder = data ?? StoreOptions.standardFolder
        do {
            // Only the owner may read the folder, because it holds names of projects and messages of devices.
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(.cannotCreate, "--data \(folder): is not a folder, and cannot be created")
        }
        do throws(StoreError) {
            let store = try SQLiteStore(path: folder + "/nearby.sqlite")
            for warning in store.warnings { StandardError.write(warning) }
            return store
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

/// The option for the project.
struct ProjectOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The project's name.", valueName: "name"))
    var project = "default"

    /// Finds the project. Throws: 66 if there is no project of that name.
    func find(in store: any ServiceStore) async throws -> Project {
        try await ProjectOptions.find(project, in: store, "--project ")
    }

    /// Finds a project by its name. Throws: 66 if there is no project of that name.
    ///
    /// - Parameter option: the option that names it, for the error.
    static func find(
        _ project: String, in store: any ServiceStore, _ option: String = ""
    ) async throws -> Project {
        let projects = try await store.projects()
        guard let found = projects.first(where: { $0.name == project }) else {
            let names = projects.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .noInput,
                names.isEmpty
                    ? "\(option)\(project): there is no project yet; 'nearby projects create \(project)' creates it"
                    : "\(option)\(project): there is only \(names)")
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
