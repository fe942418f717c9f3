import FoundationEssentials
import Nearby
import NearbyService

extension PostgresStore {
    package func namespaces(named names: [String]) async throws(StoreError) -> [BeaconNamespace] {
        guard !names.isEmpty else { return [] }
        return try await rows(BeaconStatements.namespacesNamed, .texts(names)).map(PostgresStore.namespace)
    }

    package func namespaces(of project: ProjectID) async throws(StoreError) -> [BeaconNamespace] {
        try await rows(BeaconStatements.namespaces, .int(project.number)).map(PostgresStore.namespace)
    }

    private static func namespace(_ row: PostgresRow) throws(StoreError) -> BeaconNamespace {
        guard
            let namespace = BeaconNamespace(
                row.text(0), of: ProjectID(row.int(1)), isPublic: row.int(2) != 0)
        else { throw .failed("a namespace is \(BeaconNamespace.rule)") }
        return namespace
    }

    package func beacons(named names: [BeaconName]) async throws(StoreError) -> [RegisteredBeacon] {
        guard !names.isEmpty else { return [] }
        return try await rows(BeaconStatements.named, .texts(names.map(\.description)))
            .map(PostgresStore.beacon)
    }

    package func beacons(
        of project: ProjectID, after name: BeaconName?, areEphemeral: Bool, count: Int
    ) async throws(StoreError) -> [RegisteredBeacon] {
        try await rows(
            areEphemeral ? BeaconStatements.ephemeral : BeaconStatements.all, .int(project.number),
            .text(name?.description ?? ""), .int(Int64(count))
        ).map(PostgresStore.beacon)
    }

    private static func beacon(_ row: PostgresRow) throws(StoreError) -> RegisteredBeacon {
        try StoredBeacon.value(Data(row.bytes(2)), of: ProjectID(row.int(0)), revision: row.int(1))
    }

    // MARK: Writing

    package func write(
        _ namespaces: [BeaconNamespace], _ beacons: [RegisteredBeacon], of project: ProjectID,
        limits: BeaconLimits
    ) async throws(StoreError) {
        do throws(PostgresError) {
            try await pool.transaction { connection throws(PostgresError) in
                _ = try connection.query(BeaconStatements.countUp, [.int(project.number)])
                for namespace in namespaces {
                    try PostgresStore.save(namespace, project, connection)
                }
                for beacon in beacons { try PostgresStore.save(beacon, project, connection) }
                try PostgresStore.check(limits, project, connection)
            }
        } catch {
            throw error.storeError
        }
    }

    private static func save(
        _ namespace: BeaconNamespace, _ project: ProjectID, _ connection: Connection
    ) throws(PostgresError) {
        let rows = try connection.query(
            BeaconStatements.claim,
            [.text(namespace.name), .int(project.number), .int(namespace.isPublic ? 1 : 0)])
        if rows.isEmpty { throw .refused(.exists("namespace \(namespace.name)")) }
    }

    private static func save(
        _ beacon: RegisteredBeacon, _ project: ProjectID, _ connection: Connection
    ) throws(PostgresError) {
        let name = beacon.name.description
        let values: [Parameter] = [
            .int(project.number), .text(name), .int(Int64(beacon.attachments.count)),
            .int(beacon.ephemeral == nil ? 0 : 1), .bytes(Array(StoredBeacon.body(beacon))),
        ]
        if beacon.revision == 0 {
            let rows = try connection.query(BeaconStatements.insert, values)
            if rows.isEmpty { throw .refused(.exists("beacon \(beacon.name.text)")) }
        } else {
            let rows = try connection.query(BeaconStatements.update, values + [.int(beacon.revision)])
            if rows.isEmpty { throw .refused(.changed("beacon \(beacon.name.text)")) }
        }
    }

    private static func check(
        _ limits: BeaconLimits, _ project: ProjectID, _ connection: Connection
    ) throws(PostgresError) {
        let sizes = try connection.query(BeaconStatements.sizes, [.int(project.number)])[0]
        do throws(StoreError) {
            try limits.check(
                namespaces: Int(sizes.int(0)), beacons: Int(sizes.int(1)), attachments: Int(sizes.int(2)))
        } catch {
            throw .refused(error)
        }
    }

    // MARK: Changing names

    package func beaconGeneration(of project: ProjectID) async throws(StoreError) -> Int64 {
        try await rows(BeaconStatements.generation, .int(project.number)).first?.int(0) ?? 0
    }

    package func drifts(of project: ProjectID) async throws(StoreError) -> [BeaconName: BeaconDrift] {
        try await rows(BeaconStatements.drifts, .int(project.number)).reduce(into: [:]) { drifts, row in
            if let name = BeaconName(row.text(0)) {
                drifts[name] = BeaconDrift(seconds: row.int(1), registeredUnixSeconds: row.int(2))
            }
        }
    }

    package func note(
        _ drift: BeaconDrift, of beacon: BeaconName, project: ProjectID
    ) async throws(StoreError) {
        _ = try await rows(
            BeaconStatements.noteDrift, .text(beacon.description), .int(project.number),
            .int(drift.seconds), .int(drift.registeredUnixSeconds))
    }

    package func resolverKey(orElse new: [UInt8]) async throws(StoreError) -> [UInt8] {
        _ = try await rows(BeaconStatements.makeResolverKey, .bytes(new))
        return try await rows(BeaconStatements.resolverKey)[0].bytes(0)
    }
}
