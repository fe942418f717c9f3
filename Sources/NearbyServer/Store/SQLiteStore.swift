import FoundationEssentials
import GRDB
import Nearby
import NearbyService
import NearbyWire

/// A store in one SQLite file with a write-ahead log: committed data outlive the process, whatever ends it.
package final class SQLiteStore: ServiceStore {
    private let pool: DatabasePool
    private let path: String
    /// Lines for people about database files that others may read or change and that cannot be made private,
    /// and about a folder that others may enter.
    package let warnings: [String]

    /// Opens the database and removes the rights of other users to its files.
    ///
    /// - Parameter path: The path of the database file, which is made if it does not exist. Its folder must
    ///   exist.
    ///
    /// - Throws: `.failed` if there is no folder, no permission or no database, or if a later version wrote
    ///   it.
    package init(path: String) throws(StoreError) {
        self.path = path
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.label = "nearby"
        configuration.prepareDatabase { database in
            // With a write-ahead log, a killed process loses nothing; a power cut may lose the last moments,
            // but nothing else.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        // SQLite gives its log and its index the mode of the database.
        PrivateFiles.create(path)
        let files = ["", "-wal", "-shm", "-journal", "-serving"].map { path + $0 }
        _ = PrivateFiles.tighten(files)
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            let migrator = SQLiteStore.migrator
            if try pool.read(migrator.hasBeenSuperseded) {
                throw StoreError.failed("\(path) was written by a later version: update this one")
            }
            try migrator.migrate(pool)
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            warnings =
                [PrivateFiles.warning(folder: folder)].compactMap { $0 } + PrivateFiles.tighten(files)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .failed("\(path): \(SQLiteStore.line(error))")
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE project (
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created INTEGER NOT NULL) STRICT;
                    CREATE TABLE apikey (
                        id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE,
                        project INTEGER NOT NULL REFERENCES project(id), label TEXT NOT NULL,
                        created INTEGER NOT NULL, revoked INTEGER) STRICT;
                    CREATE TABLE device (
                        hash BLOB PRIMARY KEY, project INTEGER NOT NULL REFERENCES project(id),
                        apikey INTEGER NOT NULL REFERENCES apikey(id), record BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX device_project ON device(project);
                    """)
        }
        migrator.registerMigration("2") { try $0.execute(sql: SQLiteStore.beaconTables) }
        migrator.registerMigration("3") { database in
            // `web_text` holds the text of a web key, which is no secret; `web_origins` holds its origins
            // with blanks between them. Both are NULL for keys of apps.
            try database.execute(
                sql: """
                    ALTER TABLE apikey ADD COLUMN web_text TEXT;
                    ALTER TABLE apikey ADD COLUMN web_origins TEXT;
                    """)
        }
        // The quota of devices; NULL is the standard one.
        migrator.registerMigration("4") {
            try $0.execute(sql: "ALTER TABLE project ADD COLUMN devices INTEGER CHECK (devices > 0)")
        }
        // The keys of sealed tokens, of some days, counted from 1970.
        migrator.registerMigration("5") {
            try $0.execute(
                sql: """
                    CREATE TABLE tokenkey (
                        project INTEGER NOT NULL REFERENCES project(id), day INTEGER NOT NULL,
                        key BLOB NOT NULL, PRIMARY KEY (project, day)) STRICT, WITHOUT ROWID
                    """)
        }
        return migrator
    }

    /// Joins the store as its only server.
    ///
    /// - Throws: `.failed` while another process, or another part of this one, has joined.
    package func join() async throws(StoreError) -> any LeaseProvider {
        // A server's memory is authoritative for its projects, so there can be only one. The system drops the
        // lock with the process.
        guard let lock = FileLock(path + "-serving") else {
            throw .failed("\(path) is served by another process: end it first, or name another folder")
        }
        return LocalLease(lock: lock)
    }

    package func checkWriting() async throws(StoreError) {
        try await write { database in
            // SQLite keeps this number for its users, and nobody else uses it. It must change, because SQLite
            // would not write the same number again.
            let number = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            try database.execute(sql: "PRAGMA user_version = \(number &+ 1)")
        }
    }

    // MARK: Projects and keys

    package func projects() async throws(StoreError) -> [Project] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT id, name, devices FROM project ORDER BY id")
                .map(SQLiteStore.project)
        }
    }

    package func project(_ id: ProjectID) async throws(StoreError) -> Project? {
        try await read { database in
            try Row.fetchOne(
                database, sql: "SELECT id, name, devices FROM project WHERE id = ?", arguments: [id.number]
            ).map(SQLiteStore.project)
        }
    }

    private static func project(_ row: Row) -> Project {
        Project(id: ProjectID(row["id"]), name: row["name"], deviceQuota: row["devices"])
    }

    package func setQuota(_ devices: Int?, of project: ProjectID) async throws(StoreError) {
        try await write { database in
            try database.execute(
                sql: "UPDATE project SET devices = ? WHERE id = ?", arguments: [devices, project.number])
        }
    }

    package func createProject(_ name: String) async throws(StoreError) -> Project {
        try await write { database in
            do {
                try database.execute(
                    sql: "INSERT INTO project (name, created) VALUES (?, unixepoch())", arguments: [name])
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw StoreError.exists("project \(name)")
            }
            return Project(id: ProjectID(database.lastInsertedRowID), name: name)
        }
    }

    package func keys(of project: ProjectID) async throws(StoreError) -> [APIKey] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM apikey WHERE project = ? ORDER BY id",
                arguments: [project.number]
            ).map(SQLiteStore.key)
        }
    }

    package func addKey(
        _ hash: SecretHash, label: String, web: WebKey?, to project: ProjectID
    ) async throws(StoreError) -> APIKey {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO apikey (hash, project, label, web_text, web_origins, created)
                    VALUES (?, ?, ?, ?, ?, unixepoch())
                    """,
                arguments: [
                    Data(hash.bytes), project.number, label, web?.text, web?.storedOrigins,
                ])
            return APIKey(id: KeyID(database.lastInsertedRowID), project: project, label: label, web: web)
        }
    }

    package func revokeKey(_ key: KeyID) async throws(StoreError) -> Bool {
        try await write { database in
            try database.execute(
                sql: "UPDATE apikey SET revoked = unixepoch() WHERE id = ? AND revoked IS NULL",
                arguments: [key.number])
            return database.changesCount > 0
        }
    }

    package func key(_ hash: SecretHash) async throws(StoreError) -> APIKey? {
        try await read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM apikey WHERE hash = ? AND revoked IS NULL",
                arguments: [Data(hash.bytes)]
            ).map(SQLiteStore.key)
        }
    }

    package func webOrigins() async throws(StoreError) -> Set<String> {
        try await read { database in
            let texts = try String.fetchAll(
                database,
                sql: "SELECT web_origins FROM apikey WHERE web_origins IS NOT NULL AND revoked IS NULL")
            return Set(texts.flatMap(WebKey.origins))
        }
    }

    private static func key(_ row: Row) -> APIKey {
        let (text, origins): (String?, String?) = (row["web_text"], row["web_origins"])
        return APIKey(
            id: KeyID(row["id"]), project: ProjectID(row["project"]), label: row["label"],
            isRevoked: row["revoked"] != nil,
            web: text.map { WebKey(text: $0, origins: WebKey.origins(stored: origins ?? "")) })
    }

    // MARK: Devices

    package func devices(of project: ProjectID) async throws(StoreError) -> [StoredDevice] {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT device.hash, device.apikey, device.record FROM device
                    JOIN apikey ON apikey.id = device.apikey
                    WHERE device.project = ? AND apikey.revoked IS NULL
                    """,
                arguments: [project.number])
            var devices: [StoredDevice] = []
            while let row = try rows.next() {
                let (hash, record): (Data, Data) = (row["hash"], row["record"])
                guard let secret = SecretHash(bytes: hash) else {
                    throw StoreError.failed("a device's hash has \(hash.count) bytes instead of 32")
                }
                devices.append(
                    try StoredRecord.device(secret, key: KeyID(row["apikey"]), record))
            }
            return devices
        }
    }

    package func commit(
        _ saved: [StoredDevice], deleted: [SecretHash], under lease: Lease
    ) async throws(StoreError) {
        try await write { database in
            let save = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO device (hash, project, apikey, record) VALUES (?, ?, ?, ?)")
            for device in saved {
                try save.execute(arguments: [
                    Data(device.secret.bytes), lease.project.number, device.key.number,
                    StoredRecord(device).body,
                ])
            }
            let delete = try database.cachedStatement(sql: "DELETE FROM device WHERE hash = ?")
            for secret in deleted { try delete.execute(arguments: [Data(secret.bytes)]) }
        }
    }

    // MARK: Errors

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await pool.read(body) } catch { throw SQLiteStore.failure(error) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await pool.write(body) } catch { throw SQLiteStore.failure(error) }
    }

    private static func failure(_ error: any Error) -> StoreError {
        (error as? StoreError) ?? .failed(line(error))
    }

    /// Returns one line about an error, without statement and arguments.
    private static func line(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.message ?? "database error \(error.resultCode.rawValue)"
    }
}
