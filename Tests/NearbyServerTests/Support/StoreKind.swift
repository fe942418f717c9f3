import NearbyPostgres
import NearbyServer
import NearbyService

/// The kinds of stores.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite, postgres

    /// Makes a place for a store's data.
    func place() throws -> StorePlace {
        switch self {
        case .sqlite: .file(TemporaryFolder())
        case .postgres: .database(try PostgresServer.shared.get().database())
        }
    }
}

/// The place of a store's data, which outlives the store.
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
