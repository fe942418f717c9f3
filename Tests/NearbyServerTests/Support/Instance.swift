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

/// A device, as its client is one.
struct TestDevice {
    let secret: String

    init(_ key: String, at url: String) async throws {
        let (status, body) = try await TestDevice.ask("\(url)/v1/devices", bearer: key, body: [])
        guard status == 201 else {
            throw UnexpectedStatus(status: status, line: String(decoding: body, as: UTF8.self))
        }
        secret = try WireCoding.decode(WireRegistration.self, from: body).device
    }

    struct UnexpectedStatus: Error, Equatable {
        var status: UInt
        /// What came with it.
        var line = ""

        static func == (a: Self, b: Self) -> Bool { a.status == b.status }
    }

    /// Throws: `UnexpectedStatus`.
    @discardableResult
    func report(_ report: WireReport, at url: String) async throws -> WireAnswer {
        let (status, body) = try await TestDevice.ask(
            "\(url)/v1/report", bearer: secret, body: Array(WireCoding.encode(report)))
        guard status == 200 else {
            throw UnexpectedStatus(status: status, line: String(decoding: body, as: UTF8.self))
        }
        return try WireCoding.decode(WireAnswer.self, from: body)
    }

    /// The answers of its stream.
    func events(at url: String) async throws -> AsyncThrowingStream<WireAnswer, any Error> {
        var request = HTTPClientRequest(url: "\(url)/v1/events")
        request.headers.add(name: "Authorization", value: "Bearer \(secret)")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        guard response.status == .ok else { throw UnexpectedStatus(status: response.status.code) }
        let (answers, queue) = AsyncThrowingStream.makeStream(of: WireAnswer.self)
        let reader = Task {
            do {
                for try await chunk in response.body {
                    for line in String(buffer: chunk).split(separator: "\n") where line.hasPrefix("data: ") {
                        queue.yield(
                            try WireCoding.decode(WireAnswer.self, from: Data(line.dropFirst(6).utf8)))
                    }
                }
                queue.finish()
            } catch { queue.finish(throwing: error) }
        }
        queue.onTermination = { _ in reader.cancel() }
        return answers
    }

    private static func ask(
        _ url: String, bearer: String, body: [UInt8]
    ) async throws -> (status: UInt, body: Data) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(bearer)")
        request.body = .bytes(body)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        let answer = try await response.body.collect(upTo: 1 << 20)
        return (response.status.code, Data(answer.readableBytesView))
    }
}
