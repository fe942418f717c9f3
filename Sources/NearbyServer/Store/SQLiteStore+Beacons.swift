import FoundationEssentials
import GRDB
import Nearby
import NearbyService
import NearbyWire

extension SQLiteStore {
    /// The statements that make the tables of beacons. A beacon is one row, which is read by its name
    /// whichever project owns it.
    static let beaconTables = """
        ALTER TABLE project ADD COLUMN beaconGeneration INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE namespace (
            name TEXT PRIMARY KEY, project INTEGER NOT NULL REFERENCES project(id), isPublic INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX namespace_project ON namespace(project);
        CREATE TABLE beacon (
            name TEXT NOT NULL UNIQUE, project INTEGER NOT NULL REFERENCES project(id),
            revision INTEGER NOT NULL, attachments INTEGER NOT NULL, isEphemeral INTEGER NOT NULL,
            record BLOB NOT NULL) STRICT;
        CREATE INDEX beacon_project ON beacon(project, name);
        CREATE INDEX beacon_ephemeral ON beacon(project, name) WHERE isEphemeral;
        CREATE TABLE beaconDrift (
            name TEXT PRIMARY KEY, project INTEGER NOT NULL, seconds INTEGER NOT NULL,
            registered INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX beaconDrift_project ON beaconDrift(project);
        CREATE TABLE resolver (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL) STRICT;
        """

    package func namespaces(named names: [String]) async throws(StoreError) -> [BeaconNamespace] {
        try await namespaces("name IN (SELECT value FROM json_each(?))", [SQLiteStore.list(names)])
    }

    package func namespaces(of project: ProjectID) async throws(StoreError) -> [BeaconNamespace] {
        try await namespaces("project = ?", [project.number])
    }

    private func namespaces(
        _ condition: String, _ arguments: StatementArguments
    ) async throws(StoreError) -> [BeaconNamespace] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM namespace WHERE \(condition) ORDER BY name",
                arguments: arguments
            ).map { row in
                guard
                    let namespace = BeaconNamespace(
                        row["name"], of: ProjectID(row["project"]), isPublic: row["isPublic"])
                else { throw StoreError.failed("a namespace is \(BeaconNamespace.rule)") }
                return namespace
            }
        }
    }

    package func beacons(named names: [BeaconName]) async throws(StoreError) -> [RegisteredBeacon] {
        try await beacons(
            "name IN (SELECT value FROM json_each(?))", [SQLiteStore.list(names.map(\.description))])
    }

    package func beacons(
        of project: ProjectID, after name: BeaconName?, areEphemeral: Bool, count: Int
    ) async throws(StoreError) -> [RegisteredBeacon] {
        try await beacons(
            "project = ? AND name > ?\(areEphemeral ? " AND isEphemeral" : "") ORDER BY name LIMIT ?",
            [project.number, name?.description ?? "", count])
    }

    private func beacons(
        _ condition: String, _ arguments: StatementArguments
    ) async throws(StoreError) -> [RegisteredBeacon] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT project, revision, record FROM beacon WHERE \(condition)",
                arguments: arguments
            ).map { row in
                try StoredBeacon.value(
                    row["record"], of: ProjectID(row["project"]), revision: row["revision"])
            }
        }
    }

    private static func list(_ names: [String]) -> String {
        String(decoding: WireCoding.encode(names), as: UTF8.self)
    }

    // MARK: Writing

    package func write(
        _ namespaces: [BeaconNamespace], _ beacons: [RegisteredBeacon], of project: ProjectID,
        limits: BeaconLimits
    ) async throws(StoreError) {
        try await write { database in
            try database.execute(
                sql: "UPDATE project SET beaconGeneration = beaconGeneration + 1 WHERE id = ?",
                arguments: [project.number])
            for namespace in namespaces { try SQLiteStore.save(namespace, project, database) }
            for beacon in beacons { try SQLiteStore.save(beacon, project, database) }
            try SQLiteStore.check(limits, project, database)
        }
    }

    private static func save(
        _ namespace: BeaconNamespace, _ project: ProjectID, _ database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO namespace (name, project, isPublic) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET isPublic = excluded.isPublic
                WHERE project = excluded.project
                """,
            arguments: [namespace.name, project.number, namespace.isPublic])
        if database.changesCount == 0 { throw StoreError.exists("namespace \(namespace.name)") }
    }

    private static func save(_ beacon: RegisteredBeacon, _ project: ProjectID, _ database: Database) throws {
        let (name, record) = (beacon.name.description, StoredBeacon.body(beacon))
        if beacon.revision == 0 {
            try database.execute(
                sql: """
                    INSERT INTO beacon (name, project, revision, attachments, isEphemeral, record)
                    VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT (name) DO NOTHING
                    """,
                arguments: [
                    name, project.number, beacon.attachments.count, beacon.ephemeral != nil, record,
                ])
            if database.changesCount == 0 { throw StoreError.exists("beacon \(beacon.name.text)") }
        } else {
            try database.execute(
                sql: """
                    UPDATE beacon SET revision = revision + 1, attachments = ?, isEphemeral = ?, record = ?
                    WHERE name = ? AND project = ? AND revision = ?
                    """,
                arguments: [
                    beacon.attachments.count, beacon.ephemeral != nil, record, name, project.number,
                    beacon.revision,
                ])
            if database.changesCount == 0 { throw StoreError.changed("beacon \(beacon.name.text)") }
        }
    }

    private static func check(_ limits: BeaconLimits, _ project: ProjectID, _ database: Database) throws {
        guard
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT (SELECT count(*) FROM namespace WHERE project = :project) AS namespaces,
                        count(*) AS beacons, coalesce(sum(attachments), 0) AS attachments
                    FROM beacon WHERE project = :project
                    """,
                arguments: ["project": project.number])
        else { return }
        try limits.check(
            namespaces: row["namespaces"], beacons: row["beacons"], attachments: row["attachments"])
    }

    // MARK: Changing names

    package func beaconGeneration(of project: ProjectID) async throws(StoreError) -> Int64 {
        try await read { database in
            try Int64.fetchOne(
                database, sql: "SELECT beaconGeneration FROM project WHERE id = ?",
                arguments: [project.number]) ?? 0
        }
    }

    package func drifts(of project: ProjectID) async throws(StoreError) -> [BeaconName: BeaconDrift] {
        try await read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT name, seconds, registered FROM beaconDrift WHERE project = ?",
                arguments: [project.number])
            return rows.reduce(into: [:]) { drifts, row in
                let name: String = row["name"]
                if let name = BeaconName(name) {
                    drifts[name] = BeaconDrift(
                        seconds: row["seconds"], registeredUnixSeconds: row["registered"])
                }
            }
        }
    }

    package func note(
        _ drift: BeaconDrift, of beacon: BeaconName, project: ProjectID
    ) async throws(StoreError) {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO beaconDrift (name, project, seconds, registered) VALUES (?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET seconds = excluded.seconds, registered = excluded.registered
                    """,
                arguments: [beacon.description, project.number, drift.seconds, drift.registeredUnixSeconds])
        }
    }

    package func resolverKey(orElse new: [UInt8]) async throws(StoreError) -> [UInt8] {
        try await write { database in
            try database.execute(
                sql: "INSERT INTO resolver (one, key) VALUES (1, ?) ON CONFLICT DO NOTHING",
                arguments: [Data(new)])
            let key = try Data.fetchOne(database, sql: "SELECT key FROM resolver")
            return key.map(Array.init) ?? new
        }
    }
}
