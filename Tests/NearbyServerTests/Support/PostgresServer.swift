import Foundation
import Synchronization

/// A PostgreSQL server from Debian's package, in a folder of its own, on a UNIX socket. It ends together with
/// the test process, however that ends.
final class PostgresServer: Sendable {
    /// One server for all tests that do not stop it.
    static let shared = Result { try PostgresServer() }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let folder = TemporaryFolder()
    private let programs: String
    private let shell = Mutex<(process: Process, input: Pipe)?>(nil)
    private let names = Atomic(0)

    init() throws {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let version = versions.compactMap({ Int($0) }).max() else {
            throw Failure(description: "\(root) is missing: Tools/install installs it")
        }
        programs = "\(root)/\(version)/bin"
        chmod(folder.path, 0o777)
        try run(
            "initdb", "-D", "\(folder.path)/data", "-A", "trust", "-U", "nearby", "-E", "UTF8",
            "--locale=C", "-N")
        try start()
    }

    deinit { stop() }

    /// Makes a new, empty database.
    func database() throws -> String {
        let name = "test\(names.add(1, ordering: .relaxed).newValue)"
        try run("psql", "-h", folder.path, "-U", "nearby", "-q", "-c", "CREATE DATABASE \(name)", "postgres")
        return "postgresql:///\(name)?host=\(folder.path)&user=nearby"
    }

    /// Makes a new, empty database of a role that needs a password. Its URL contains none.
    func lockedDatabase(password: String) throws -> String {
        let name = "locked\(names.add(1, ordering: .relaxed).newValue)"
        let admin = "postgresql:///postgres?host=\(folder.path)&user=nearby"
        try query("CREATE ROLE \(name) LOGIN PASSWORD '\(password)'", admin)
        try query("CREATE DATABASE \(name) OWNER \(name)", admin)
        // The first line that matches counts.
        let path = try query("SHOW hba_file", admin)
        let rest = try String(contentsOfFile: path, encoding: .utf8)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(("local all \(name) scram-sha-256\n" + rest).utf8))
        try file.close()
        try query("SELECT pg_reload_conf()", admin)
        return "postgresql:///\(name)?host=\(folder.path)&user=\(name)"
    }

    /// Returns the output of a statement.
    @discardableResult
    func query(_ sql: String, _ url: String) throws -> String { try run("psql", "-qtA", "-c", sql, url) }

    /// Writes a backup of a database into a file, as the page about operating a server says. Returns its
    /// path.
    func dump(_ url: String) throws -> String {
        let path = "\(folder.path)/\(names.add(1, ordering: .relaxed).newValue).dump"
        try run("pg_dump", "--format=custom", "--no-unlogged-table-data", "--file=\(path)", url)
        return path
    }

    /// Restores a backup into an empty database.
    func restore(_ path: String, into url: String) throws {
        try run("pg_restore", "--no-owner", "--exit-on-error", "--dbname=\(url)", path)
    }

    func start() throws {
        let (process, input) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // SIGQUIT ends the server at once, like a crash, and the next start reads the log. The script does
        // not use 'wait', because Foundation blocks the signal that it waits for, also for its children.
        let script = """
            "$@" & server=$!
            read line
            kill -QUIT $server
            while [ -e \(folder.path)/data/postmaster.pid ]; do sleep 0.02; done
            """
        process.arguments =
            ["-c", script, "sh"] + user
            + [
                "\(programs)/postgres", "-D", "\(folder.path)/data", "-k", folder.path,
                "-c", "listen_addresses=", "-c", "max_connections=200",
            ]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Otherwise the child's own copy of the pipe would keep it from seeing the end.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try process.run()
        shell.withLock { $0 = (process, input) }
        for _ in 0..<200 {
            if (try? run("pg_isready", "-q", "-h", folder.path)) != nil { return }
            usleep(50_000)
        }
        throw Failure(description: "PostgreSQL does not start")
    }

    /// Stops the server as a crash does.
    func stop() {
        shell.withLock { shell in
            guard let (process, input) = shell else { return }
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            shell = nil
        }
    }

    /// The command that changes the user, because PostgreSQL refuses to run as root.
    private var user: [String] {
        getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    }

    @discardableResult
    private func run(_ name: String, _ arguments: String...) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = user + ["\(programs)/\(name)"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: "/tmp")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(name) fails") }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
