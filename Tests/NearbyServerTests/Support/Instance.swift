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
    /// The URL of `/healthz` and `/metrics`.
    let statusURL: String
    private let task: Task<Void, any Error>

    /// - Parameters:
    ///   - limits: the service's limits.
    ///   - random: the source of the times after which refused clients come back.
    ///   - change: changes the default settings.
    init(
        _ store: any ServiceStore, log: LogLines? = nil, limits: ServiceSettings = ServiceSettings(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        change: (inout NearbyServer.Settings) -> Void = { _ in }
    ) async throws {
        let clock = ServiceClock.machine()
        var settings = NearbyServer.Settings()
        settings.port = 0
        settings.statusPort = 0
        change(&settings)
        let logger = log?.logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = NearbyServer(
            NearbyService(settings: limits, store: store, clock: clock, log: logger), settings: settings,
            logger: logger, random: random)
        let (ports, tell) = AsyncStream.makeStream(of: Int.self)
        task = Task {
            defer { tell.finish() }
            try await server.run(
                signals: [], onStatus: { tell.yield($0 ?? 0) }, onListening: { tell.yield($0) })
        }
        var iterator = ports.makeAsyncIterator()
        guard let statusPort = await iterator.next(), let port = await iterator.next() else {
            try await task.value
            throw CancellationError()
        }
        url = "http://127.0.0.1:\(port)"
        statusURL = "http://127.0.0.1:\(statusPort)"
    }

    func metrics() async throws -> String {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(statusURL)/metrics"), timeout: .seconds(10))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    /// Ends the server in good order.
    func end() async {
        task.cancel()
        _ = await task.result
    }
}
