import FoundationEssentials
import Nearby
import NearbyService

/// A PostgreSQL database that any number of instances share.
package final class PostgresStore: ServiceStore {
    private let target: PostgresTarget
    let pool: PostgresPool

    /// Connects, and brings the tables up to date.
    ///
    /// - Parameter url: `postgres://user:password@host:port/database`, or another form that libpq accepts.
    ///
    /// Throws: `.failed` if the server or database does not exist, permission is missing, or a later version
    /// wrote the tables.
    package init(url: String, connections: Int = 4) async throws(StoreError) {
        target = try PostgresTarget(url: url)
        pool = PostgresPool(target, count: connections)
        do throws(PostgresError) {
            try await pool.transaction(Migrations.run)
        } catch {
            throw error.storeError
        }
    }

    /// Returns the fault of a text as the URL of a database; `nil` if libpq accepts it. The result repeats no
    /// part of the text.
    package static func problem(ofURL text: String) -> String? {
        do throws(StoreError) { _ = try PostgresTarget(url: text) } catch { return "\(error)" }
        return nil
    }

    package func join() async throws(StoreError) -> any LeaseProvider {
        let secret = try await rows(Statements.clusterSecret)[0].text(0)
        return PostgresLease(
            LeaseTable(pool: pool, listener: PostgresSession(target, commands: ["LISTEN nearby_lease"])),
            clusterSecret: secret)
    }

    package func checkWriting() async throws(StoreError) { _ = try await rows(Statements.checkWriting) }

    // MARK: Projects and keys

    package func projects() async throws(StoreError) -> [Project] {
        try await rows(Statements.projects).map(PostgresStore.project)
    }

    package func project(_ id: ProjectID) async throws(StoreError) -> Project? {
        try await rows(Statements.project, .int(id.number)).first.map(PostgresStore.project)
    }

    package func setQuota(_ devices: Int?, of project: ProjectID) async throws(StoreError) {
        _ = try await rows(Statements.setQuota, .int(project.number), .int(Int64(devices ?? 0)))
    }

    package func createProject(_ name: String) async throws(StoreError) -> Project {
        do throws(PostgresError) {
            let id = try await pool.query(Statements.createProject, .text(name))[0].int(0)
            return Project(id: ProjectID(id), name: name)
        } catch {
            throw error.isExists ? .exists("project \(name)") : error.storeError
        }
    }

    package func keys(of project: ProjectID) async throws(StoreError) -> [APIKey] {
        try await rows(Statements.keys, .int(project.number)).map(PostgresStore.key)
    }

    package func addKey(
        _ hash: SecretHash, label: String, web: WebKey?, to project: ProjectID
    ) async throws(StoreError) -> APIKey {
        let id = try await rows(
            Statements.addKey, .bytes(hash.bytes), .int(project.number), .text(label),
            .text(web?.text ?? ""), .text(web?.storedOrigins ?? ""))[0].int(0)
        return APIKey(id: KeyID(id), project: project, label: label, web: web)
    }

    package func revokeKey(_ key: KeyID) async throws(StoreError) -> Bool {
        try await !rows(Statements.revokeKey, .int(key.number)).isEmpty
    }

    package func key(_ hash: SecretHash) async throws(StoreError) -> APIKey? {
        try await rows(Statements.key, .bytes(hash.bytes)).first.map(PostgresStore.key)
    }

    package func webOrigins() async throws(StoreError) -> Set<String> {
        Set(try await rows(Statements.webOrigins).flatMap { WebKey.origins(stored: $0.text(0)) })
    }

    private static func project(_ row: PostgresRow) -> Project {
        let quota = Int(row.int(2))
        return Project(
            id: ProjectID(row.int(0)), name: row.text(1), deviceQuota: quota == 0 ? nil : quota)
    }

    private static func key(_ row: PostgresRow) -> APIKey {
        APIKey(
            id: KeyID(row.int(0)), project: ProjectID(row.int(1)), label: row.text(2),
            isRevoked: !row.isNull(3),
            web: row.isNull(4) ? nil : WebKey(text: row.text(4), origins: WebKey.origins(stored: row.text(5)))
        )
    }

    // MARK: Devices

    package func devices(of project: ProjectID) async throws(StoreError) -> [StoredDevice] {
        var devices: [StoredDevice] = []
        // Pages keep each statement short and the memory for its rows small.
        var last: [UInt8] = []
        while true {
            let page = try await rows(Statements.devices, .int(project.number), .bytes(last))
            for row in page { devices.append(try PostgresStore.device(row)) }
            guard page.count == Statements.devicesPerPage else { break }
            last = page[page.count - 1].bytes(0)
        }
        let keys = Set(try await keys(of: project).filter { !$0.isRevoked }.map(\.id))
        return devices.filter { keys.contains($0.key) }
    }

    private static func device(_ row: PostgresRow) throws(StoreError) -> StoredDevice {
        guard let secret = SecretHash(bytes: row.bytes(0)) else {
            throw .failed("a device's hash has \(row.bytes(0).count) bytes instead of 32")
        }
        do {
            return try StoredRecord.device(secret, key: KeyID(row.int(1)), Data(row.bytes(2)))
        } catch {
            throw .failed("a device's record: \(error)")
        }
    }

    package func commit(
        _ saved: [StoredDevice], deleted: [SecretHash], under lease: Lease
    ) async throws(StoreError) {
        let held = try await rows(
            Statements.commit, .int(lease.project.number), .int(lease.epoch),
            .byteStrings(saved.map(\.secret.bytes)), .ints(saved.map(\.key.number)),
            .byteStrings(saved.map { Array(StoredRecord($0).body) }),
            .byteStrings(deleted.map(\.bytes)))
        if held.isEmpty { throw .superseded }
    }

    package func tokenKeys(
        of project: ProjectID, orElse new: [Int: [UInt8]]
    ) async throws(StoreError) -> [Int: [UInt8]] {
        let days = new.keys.sorted()
        guard let first = days.first else { return [:] }
        _ = try await rows(
            Statements.makeTokenKeys, .int(project.number), .ints(days.map { Int64($0) }),
            .byteStrings(days.map { new[$0]! }))
        let kept = try await rows(Statements.tokenKeys, .int(project.number), .int(Int64(first)))
        return Dictionary(uniqueKeysWithValues: kept.map { (Int($0.int(0)), $0.bytes(1)) })
    }

    func rows(
        _ statement: Statement, _ parameters: Parameter...
    ) async throws(StoreError) -> [PostgresRow] {
        do throws(PostgresError) { return try await pool.query(statement, parameters) } catch {
            throw error.storeError
        }
    }
}
