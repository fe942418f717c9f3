import Foundation
import Nearby
import NearbyServer
import NearbyService
import NearbyWire
import Testing

/// Tests of a service over a real store: its refusals, and the state that is left after its end.
@Suite struct ServiceTests {
    private let folder = TemporaryFolder()

    private func service() throws -> NearbyService {
        let clock = ServiceClock.machine()
        return NearbyService(store: try SQLiteStore(path: folder.path + "/nearby.sqlite"), clock: clock)
    }

    private func key() async throws -> Secret {
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        var random = SystemRandomNumberGenerator()
        let secret = Secret(.key, of: try await store.createProject("shop").id, random: &random)
        _ = try await store.addKey(secret.hash, label: "", to: secret.project)
        return secret
    }

    private func report(
        _ service: NearbyService, _ device: String, _ fill: (inout WireReport) -> Void = { _ in }
    )
        async throws -> WireAnswer
    {
        var report = WireReport(Report())
        fill(&report)
        return try await service.device(Substring(device), address: "a").report(report)
    }

    private let everything: (inout WireReport) -> Void = { wire in
        var report = Report()
        report.isComplete = true
        report.wantsTokens = [.audio]
        report.published[OperationID(1)] = Publication(try! Message("m"), strategy: Strategy(media: [.audio]))
        wire = WireReport(report)
    }

    /// The service refuses over and over: a device that was known before must report everything.
    @Test func aServiceThatBeginsAgainAsksForEverything() async throws {
        let key = try await key()
        let first = try service()
        var devices: [String] = []
        for _ in 0..<20 {
            let device = try await first.register(key: Substring(key.text), address: "a").device
            _ = try await report(first, device, everything)
            devices.append(device)
        }
        try await first.shutDown()

        let second = try service()
        try await second.start()
        for device in devices {
            for _ in 0..<5 {
                await #expect(throws: ServiceRefusal.incomplete) {
                    _ = try await report(second, device)
                }
                await #expect(throws: ServiceRefusal.incomplete) {
                    _ = try await second.device(Substring(device), address: "a").events(to: NoReader())
                }
            }
            #expect(try await report(second, device, everything).grants?.count == 1)
            _ = try await second.device(Substring(device), address: "a").events(to: NoReader())
        }
        #expect(await second.sizes().map(\.devices) == [20])
        try await second.shutDown()
    }

    @Test(arguments: [
        "", "nbd_1_", "nbd_1_AAAA", "nbd_9_AAAA", "nbk_1_AAAA", "nbd_99999999999999999999_A", "nbd_-1_A",
        "nbd__",
    ])
    func noSecretIsUnknown(text: String) async throws {
        _ = try await key()
        let service = try service()
        await #expect(throws: ServiceRefusal.unknown) { _ = try await report(service, text) }
        await #expect(throws: ServiceRefusal.unknown) {
            _ = try await service.register(key: Substring(text), address: "a")
        }
    }

    @Test func revokedKeysRegisterNobody() async throws {
        let key = try await key()
        let service = try service()
        let device = try await service.register(key: Substring(key.text), address: "a").device
        _ = try await report(service, device, everything)
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        #expect(try await store.revokeKey(KeyID(1)))
        try await service.checkKeys()
        await #expect(throws: ServiceRefusal.unknown) { _ = try await report(service, device) }
        await #expect(throws: ServiceRefusal.unknown) {
            _ = try await service.register(key: Substring(key.text), address: "a")
        }
    }
}

/// A reader that takes no events.
private final class NoReader: EventReader {
    func eventPosition(in mailbox: String) -> EventPosition? { nil }
    func take(_ events: StreamEvents) {}
    func end() {}
}
