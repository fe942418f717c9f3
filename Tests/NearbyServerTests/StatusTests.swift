import AsyncHTTPClient
import NIOCore
import NearbyServer
import NearbyServerSupport
import NearbyService
import NearbyTestSupport
import Testing

/// Tests of `/healthz` and `/metrics`, which clients cannot reach.
@Suite(.timeLimit(.minutes(1))) struct StatusTests {
    private func get(_ url: String) async throws -> UInt {
        try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(10)).status.code
    }

    @Test func clientsDoNotSeeThem() async throws {
        let world = try await HostileWorld()
        for path in ["healthz", "metrics"] {
            #expect(try await get("\(world.url)/\(path)") == 404)
            #expect(try await get("\(world.instance.statusURL)/\(path)") == 200)
        }
        await world.instance.end()
    }

    @Test func aTakenPortIsALineOrAnError() async throws {
        let world = try await HostileWorld()
        let taken = try #require(world.instance.statusURL.split(separator: ":").last.flatMap { Int($0) })
        let folder = TemporaryFolder()
        let log = LogLines()
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        await #expect(throws: ListenError.self) {
            try await Instance(store, log: log) { $0.statusPort = taken }
        }
        let other = TemporaryFolder()
        let without = try await Instance(try SQLiteStore(path: other.path + "/nearby.sqlite"), log: log) {
            $0.statusPort = taken
            $0.isStatusOptional = true
        }
        #expect(try await get("\(without.url)/nothing") == 404)
        #expect(log.whole.contains { $0.hasPrefix("warning no /healthz and /metrics: 127.0.0.1:\(taken): ") })
        await without.end()
        await world.instance.end()
    }
}
