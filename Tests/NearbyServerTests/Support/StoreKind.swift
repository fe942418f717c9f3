import NearbyPostgres
import NearbyServer
import NearbyService

/// Every store there is.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite, postgres

    /// Somewhere to keep things.
    func place() throws -> StorePlace {
        switch self {
        case .sqlite: .file(TemporaryFolder())
        case .postgres: .database(try PostgresServer.shared.get().database())
        }
    }
}

/// Where a store's things are: they outlive it.
enum StorePlace: Sendable {
    case file(TemporaryFolder)
    case database(String)

    func open() async throws -> any ServiceStore {
        switch self {
        case .file(let folder): try SQLiteStore(path: folder.path + "/nearby.sqlite")
        case .database(let url): try await PostgresStore(url: url)
        }
    }
}
