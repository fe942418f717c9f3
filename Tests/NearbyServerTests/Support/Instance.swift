import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NearbyPostgres
import NearbyServer
import NearbyService
import NearbyTestSupport
import NearbyWire

/// A server in this process.
struct Instance {
    let url: String
    private let task: Task<Void, any Error>

    init(_ store: any ServiceStore, log: LogLines? = nil) async throws {
        let clock = ServiceClock.machine(unixMillis: Int64(Date().timeIntervalSince1970 * 1000))
        var settings = NearbyServer.Settings()
        settings.port = 0
        let logger = log?.logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = NearbyServer(
            NearbyService(store: store, clock: clock, log: logger), settings: settings, logger: logger)
        let (ports, tell) = AsyncStream.makeStream(of: Int.self)
        task = Task {
            defer { tell.finish() }
            try await server.run(signals: []) { tell.yield($0) }
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await task.value
            throw CancellationError()
        }
        url = "http://127.0.0.1:\(port)"
    }

    func metrics() async throws -> String {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(url)/metrics"), timeout: .seconds(10))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    /// In good order.
    func end() async {
        task.cancel()
        _ = await task.result
    }
}
