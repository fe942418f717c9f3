import Foundation
import Nearby
import NearbyService
import Testing

/// Tests of the data that every store keeps.
@Suite struct StoreConformanceTests {
    private func hash(_ number: UInt8) -> SecretHash {
        SecretHash(bytes: [UInt8](repeating: number, count: 32))!
    }

    private func device(_ number: UInt8, _ key: KeyID, text: String = "m") throws -> StoredDevice {
        var record = DeviceRecord()
        record.published[OperationID(1)] = .init(
            name: PublicationID(bits: 7), message: try Message(text, type: "t", namespace: "n"),
            strategy: Strategy(media: [.audio], mode: .both, reach: .earshot, isMutual: true))
        record.subscribed[OperationID(2)] = Subscription(.type("t", namespace: "n"))
        record.handle = TokenHandle(bits: 1 << 37 + UInt64(number))
        return StoredDevice(
            secret: hash(number), key: key, label: number == 5 ? "SN-5" : nil, record: record)
    }

    @Test(arguments: StoreKind.allCases) func projectsAndKeysOutliveTheStore(_ kind: StoreKind) async throws {
        let (place, store, project, key) = try await withKey(kind)
        await #expect(throws: StoreError.exists("project shop")) { try await store.createProject("shop") }
        let again = try await place.open()
        #expect(try await again.projects() == [project])
        #expect(try await again.keys(of: project.id) == [key])
        #expect(try await again.key(hash(1)) == key)
        #expect(try await again.key(hash(2)) == nil)
    }

    @Test(arguments: StoreKind.allCases) func quotasOutliveTheStore(_ kind: StoreKind) async throws {
        let (place, store, project, _) = try await withKey(kind)
        #expect(project.deviceQuota == nil)
        try await store.setQuota(1_000_000, of: project.id)
        #expect(try await place.open().project(project.id)?.deviceQuota == 1_000_000)
        #expect(try await store.projects().map(\.deviceQuota) == [1_000_000])
        try await store.setQuota(nil, of: project.id)
        #expect(try await store.project(project.id) == project)
    }

    @Test(arguments: StoreKind.allCases) func revokedKeysOpenNothing(_ kind: StoreKind) async throws {
        let (place, store, project, key) = try await withKey(kind)
        try await store.commit(
            [device(5, key.id)], deleted: [], under: lease(of: project, in: store))
        #expect(try await store.revokeKey(key.id))
        #expect(try await store.revokeKey(key.id) == false)
        #expect(try await store.key(hash(1)) == nil)
        #expect(try await store.keys(of: project.id).map(\.isRevoked) == [true])
        #expect(try await place.open().devices(of: project.id).isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func devicesComeBackWhole(_ kind: StoreKind) async throws {
        let (place, store, project, key) = try await withKey(kind)
        let other = try await store.createProject("other")
        let devices = try [device(5, key.id), device(6, key.id, text: "long")]
        try await store.commit(
            devices, deleted: [], under: lease(of: project, in: store))
        let back = try await place.open().devices(of: project.id)
            .sorted { $0.secret.bytes[0] < $1.secret.bytes[0] }
        #expect(back.map(\.secret) == devices.map(\.secret))
        #expect(back.map(\.key) == [key.id, key.id])
        #expect(back.map(\.label) == ["SN-5", nil])
        #expect(back.map(\.record) == devices.map(\.record))
        #expect(try await store.devices(of: other.id).isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func theLastCommitCounts(_ kind: StoreKind) async throws {
        let (place, store, project, key) = try await withKey(kind)
        let lease = try await lease(of: project, in: store)
        try await store.commit(
            [device(5, key.id), device(6, key.id)], deleted: [], under: lease)
        let changed = try device(5, key.id, text: "changed")
        try await store.commit([changed], deleted: [hash(6), hash(9)], under: lease)
        let back = try await place.open().devices(of: project.id)
        #expect(back.map(\.secret) == [hash(5)])
        #expect(back[0].record.published == changed.record.published)
    }

    @Test(arguments: StoreKind.allCases) func manyComeBack(_ kind: StoreKind) async throws {
        let (place, store, project, key) = try await withKey(kind)
        let devices = try (0..<6000).map { number in
            var one = try device(1, key.id)
            one.secret = SecretHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })!
            return one
        }
        try await store.commit(devices, deleted: [], under: lease(of: project, in: store))
        let back = try await place.open().devices(of: project.id)
        #expect(Set(back.map(\.secret)) == Set(devices.map(\.secret)))
        #expect(back.count == devices.count)
    }

    /// The first key that is drawn for a day stays, whoever asks; those of days gone by are deleted.
    @Test(arguments: StoreKind.allCases) func tokenKeysStay(_ kind: StoreKind) async throws {
        let (place, store, project, _) = try await withKey(kind)
        let other = try await store.createProject("other")
        func key(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 16) }
        let first = [1: key(1), 2: key(2)]
        #expect(try await store.tokenKeys(of: project.id, orElse: first) == first)
        let again = try await place.open()
        let kept = [2: key(2), 3: key(5)]
        #expect(try await again.tokenKeys(of: project.id, orElse: [2: key(4), 3: key(5)]) == kept)
        #expect(
            try await again.tokenKeys(of: project.id, orElse: [1: key(6), 2: key(6), 3: key(6)])
                == [1: key(6), 2: key(2), 3: key(5)])
        #expect(try await again.tokenKeys(of: other.id, orElse: [3: key(7)]) == [3: key(7)])
    }

    private func lease(of project: Project, in store: any ServiceStore) async throws -> Lease {
        let leaseProvider = try await store.join()
        leaseProvider.announce("http://localhost:1")
        guard case .here(let lease) = try await leaseProvider.place(of: project.id) else {
            throw StoreError.superseded
        }
        return lease
    }

    private func withKey(
        _ kind: StoreKind
    ) async throws -> (StorePlace, any ServiceStore, Project, APIKey) {
        let place = try kind.place()
        let store = try await place.open()
        let project = try await store.createProject("shop")
        let key = try await store.addKey(hash(1), label: "app", to: project.id)
        return (place, store, project, key)
    }
}
