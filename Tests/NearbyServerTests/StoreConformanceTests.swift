import Foundation
import Nearby
import NearbyServer
import NearbyService
import Testing

/// What every store keeps.
@Suite struct StoreConformanceTests {
    private let clock = ServiceClock(startUnixMillis: 1_700_000_000_000) { .zero }
    private let folder = TemporaryFolder()

    private func store() throws -> any ServiceStore {
        try SQLiteStore(path: folder.path + "/nearby.sqlite")
    }

    private func hash(_ number: UInt8) -> SecretHash {
        SecretHash(bytes: [UInt8](repeating: number, count: 32))!
    }

    private func device(_ number: UInt8, _ key: KeyID, text: String = "m") throws -> StoredDevice {
        var record = DeviceRecord()
        record.published[OperationID(1)] = .init(
            name: PublicationID(bits: 7), message: try Message(text, type: "t", namespace: "n"),
            strategy: Strategy(media: [.audio], mode: .both, reach: .earshot, isMutual: true))
        record.subscribed[OperationID(2)] = Subscription(.type("t", namespace: "n"))
        record.tokens = [.init(Token(bits: UInt64(number)), on: .audio, end: .start + .seconds(60))]
        return StoredDevice(secret: hash(number), key: key, record: record)
    }

    @Test func projectsAndKeysOutliveTheStore() async throws {
        let (store, project, key) = try await withKey()
        await #expect(throws: StoreError.exists("project shop")) { try await store.createProject("shop") }
        let again = try self.store()
        #expect(try await again.projects() == [project])
        #expect(try await again.keys(of: project.id) == [key])
        #expect(try await again.key(hash(1)) == key)
        #expect(try await again.key(hash(2)) == nil)
    }

    @Test func revokedKeysOpenNothing() async throws {
        let (store, project, key) = try await withKey()
        try await store.commit([device(5, key.id)], deleted: [], of: project.id, clock: clock)
        #expect(try await store.revokeKey(key.id))
        #expect(try await store.revokeKey(key.id) == false)
        #expect(try await store.key(hash(1)) == nil)
        #expect(try await store.keys(of: project.id).map(\.isRevoked) == [true])
        #expect(try await store.devices(of: project.id, clock: clock).isEmpty)
    }

    @Test func devicesComeBackWhole() async throws {
        let (store, project, key) = try await withKey()
        let other = try await store.createProject("other")
        let devices = try [device(5, key.id), device(6, key.id, text: "long")]
        try await store.commit(devices, deleted: [], of: project.id, clock: clock)
        // Half a minute later, with a clock of its own.
        let later = ServiceClock(startUnixMillis: 1_700_000_030_000) { .zero }
        let back = try await self.store().devices(of: project.id, clock: later)
            .sorted { $0.secret.bytes[0] < $1.secret.bytes[0] }
        #expect(back.map(\.secret) == devices.map(\.secret))
        #expect(back.map(\.key) == [key.id, key.id])
        for (one, expected) in zip(back, devices) {
            #expect(one.record.published == expected.record.published)
            #expect(one.record.subscribed == expected.record.subscribed)
            #expect(one.record.tokens.map(\.token) == expected.record.tokens.map(\.token))
            #expect(one.record.tokens.map(\.end) == [.start + .seconds(30)])
        }
        #expect(try await store.devices(of: other.id, clock: clock).isEmpty)
    }

    @Test func theLastCommitCounts() async throws {
        let (store, project, key) = try await withKey()
        try await store.commit(
            [device(5, key.id), device(6, key.id)], deleted: [], of: project.id, clock: clock)
        let changed = try device(5, key.id, text: "changed")
        try await store.commit([changed], deleted: [hash(6), hash(9)], of: project.id, clock: clock)
        let back = try await store.devices(of: project.id, clock: clock)
        #expect(back.map(\.secret) == [hash(5)])
        #expect(back[0].record.published == changed.record.published)
    }

    private func withKey() async throws -> (any ServiceStore, Project, APIKey) {
        let store = try store()
        let project = try await store.createProject("shop")
        let key = try await store.addKey(hash(1), label: "app", to: project.id)
        return (store, project, key)
    }
}

/// Gone with its last holder.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "nearby-\(UUID().uuidString)"
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
