import Foundation
import NearbyPostgres
import NearbyServer
import NearbyService
import TestSupport
import Testing

/// Tests that databases of earlier versions are taken over with all their contents.
@Suite struct MigrationTests {
    /// The first key of the database in Fixtures/server.
    private static let key = "nbk_1_68AMmIrr4g4gCnPIvwGxC4tskQ5SOe51I3P_zjmNnsUI"

    private func check(_ store: any ServiceStore) async throws {
        let project = try #require(try await store.projects().first)
        #expect(project.name == "shop")
        let keys = try await store.keys(of: project.id)
        #expect(keys.map(\.label) == ["first", "kiosks"] && keys.map(\.isRevoked) == [false, true])
        #expect(keys.allSatisfy { $0.web == nil })
        let first = try #require(Secret(.key, Self.key[...]))
        #expect(try await store.key(first.hash)?.id == keys[0].id)
        let web = WebKey(text: "nbw_1_x", origins: ["https://a", "https://b"])
        let secret = try #require(Secret(.webKey, web.text[...]))
        _ = try await store.addKey(secret.hash, label: "page", web: web, to: project.id)
        #expect(try await store.key(secret.hash)?.web == web)
        #expect(try await store.webOrigins() == ["https://a", "https://b"])
    }

    @Test func sqliteBeforeWebKeys() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/nearby.sqlite"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())",
            path, Repository.path("Fixtures/server/before-web-keys.sql"),
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        try await check(try SQLiteStore(path: path))
        try await #expect(SQLiteStore(path: path).projects().map(\.name) == ["shop"])
    }

    @Test func postgresBeforeWebKeys() async throws {
        let server = try PostgresServer.shared.get()
        let url = try server.database()
        _ = try await PostgresStore(url: url)
        let hash = try #require(Secret(.key, Self.key[...])).hash.bytes
            .map { String(format: "%02x", $0) }.joined()
        // This is the state after the third migration.
        try server.query(
            """
            ALTER TABLE apikey DROP COLUMN web_text, DROP COLUMN web_origins;
            ALTER TABLE project DROP COLUMN devices;
            DROP TABLE last_lease, lease_start, token_key;
            DELETE FROM nearby_migration WHERE number > 3;
            INSERT INTO project (name) VALUES ('shop');
            INSERT INTO apikey (hash, project, label, revoked) VALUES
                ('\\x\(hash)', 1, 'first', NULL), ('\\x00', 1, 'kiosks', now());
            """, url)
        try await check(try await PostgresStore(url: url))
    }
}
