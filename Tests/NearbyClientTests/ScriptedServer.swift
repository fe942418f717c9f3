import FoundationEssentials
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import Nearby
import NearbyTestSupport
import NearbyWire
import ServiceLifecycle

/// A real HTTP server on the loopback device, whose answers a test writes.
final class ScriptedServer: Sendable {
    struct Seen: Sendable {
        var method: String
        var path: String
        var authorization: String?
        var body: Data

        /// The report in the request; it is empty if there is none.
        var report: WireReport {
            (try? WireCoding.decode(WireReport.self, from: body)) ?? WireReport(Report())
        }
    }

    enum Reply: Sendable {
        case status(Int, body: String = "", headers: [(String, String)] = [])
        /// So many bytes that are not JSON.
        case bytes(Int)
        /// The beginning of an answer, after which the connection is closed.
        case cut
        /// No answer to the request.
        case silence
        case events(Texts)

        static func refusal(_ status: Int, _ line: String = "no", headers: [(String, String)] = []) -> Reply {
            .status(status, body: #"{"error":"\#(line)"}"#, headers: headers)
        }

        static func answer(_ answer: WireAnswer) -> Reply {
            .status(200, body: String(decoding: WireCoding.encode(answer), as: UTF8.self))
        }

        static func secret(_ secret: String) -> Reply { .status(201, body: #"{"device":"\#(secret)"}"#) }
    }

    /// The texts that are written to a stream of events.
    typealias Texts = (stream: AsyncStream<String>, continuation: AsyncStream<String>.Continuation)

    let port: Int
    /// The answers that have not ended; `nil` if the server has ended. An answer that begins after that ends
    /// at once.
    private let open: Locked<[AsyncStream<String>.Continuation]?>
    private let group: ServiceGroup
    private let scheme: String
    private let running: Task<Void, any Error>

    var url: String { "\(scheme)://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - port: the port; 0 means any that is free.
    ///   - server: the protocol by which connections are served.
    init(
        port: Int = 0, scheme: String = "http", server: HTTPServerBuilder = .http1(),
        script: @escaping @Sendable (Seen) async -> Reply
    ) async throws {
        let open = Locked<[AsyncStream<String>.Continuation]?>([])
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let body = try await request.body.collect(upTo: 1 << 24)
            let seen = Seen(
                method: request.method.rawValue, path: request.uri.path,
                authorization: request.headers[.authorization],
                body: Data(body.readableBytesView))
            return await script(seen).response { texts in
                open.withLock { $0 == nil ? texts.finish() : $0?.append(texts) }
            }
        }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        var log = Logger(label: "server")
        log.logLevel = .critical
        let application = Application(
            responder: responder, server: server,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) }, logger: log)
        var configuration = ServiceGroupConfiguration(services: [application], logger: log)
        // A connection made at the last moment may not notice that it is to end. After this time it can be
        // cancelled.
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        let group = ServiceGroup(configuration: configuration)
        running = Task {
            defer { continuation.finish() }
            try await group.run()
        }
        (self.open, self.group) = (open, group)
        var found = ports.makeAsyncIterator()
        guard let port = await found.next() else { throw NotRunning() }
        (self.port, self.scheme) = (port, scheme)
    }

    struct NotRunning: Error {}

    /// Closes all connections, and returns when that is done.
    func stop() async {
        await ScriptedServer.end(group, open)
        _ = await running.result
    }

    deinit { Task { [group, open] in await ScriptedServer.end(group, open) } }

    /// Ends the server without cancelling it, because connections that are just being accepted would make NIO
    /// trap.
    private static func end(_ group: ServiceGroup, _ open: Locked<[AsyncStream<String>.Continuation]?>) async
    {
        let last = open.withLock { open in
            defer { open = nil }
            return open
        }
        for texts in last ?? [] { texts.finish() }
        await group.triggerGracefulShutdown()
    }
}

extension ScriptedServer.Reply {
    /// - Parameter opened: called with an answer that goes on until it is ended.
    fileprivate func response(_ opened: (AsyncStream<String>.Continuation) -> Void) -> Response {
        switch self {
        case .status(let code, let body, let headers):
            var fields = HTTPFields()
            for (name, value) in headers { fields[.init(name)!] = value }
            return Response(
                status: .init(code: code), headers: fields, body: .init(byteBuffer: ByteBuffer(string: body)))
        case .bytes(let count):
            return Response(
                status: .ok,
                body: .init { writer in
                    let block = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 16)
                    for _ in 0..<(count >> 16) { try await writer.write(block) }
                    try await writer.finish(nil)
                })
        case .cut:
            return Response(
                status: .ok,
                body: .init(contentLength: 100) { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    throw Cut()
                })
        case .silence: return ScriptedServer.Reply.events(AsyncStream.makeStream()).response(opened)
        case .events(let texts):
            opened(texts.continuation)
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: .init { writer in
                    for await text in texts.stream { try await writer.write(ByteBuffer(string: text)) }
                    try await writer.finish(nil)
                })
        }
    }

    private struct Cut: Error {}
}
