import AsyncHTTPClient
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Nearby
import NearbyService
import ServiceLifecycle

/// A client that forwards requests to other instances and returns their answers.
struct Peers: Sendable {
    /// The header with the secret that instances show to each other alone.
    static let secretHeader = HTTPField.Name("Nearby-Instance-Secret")!
    /// The header with the client's address, to which its limits apply.
    static let addressHeader = HTTPField.Name("Nearby-Client-Address")!

    /// The time to wait for an answer. A stopped instance accepts connections and says nothing.
    private static let patience = TimeAmount.seconds(2)
    private static let carried: Set<HTTPField.Name> = [
        .contentType, .cacheControl, .retryAfter, .wwwAuthenticate, .accelBuffering,
    ]

    let secret: String
    private let reports: HTTPClient
    /// The client for event streams. Each stream has a connection for as long as it lasts.
    private let streams: HTTPClient

    init(secret: String) {
        self.secret = secret
        reports = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup,
            configuration: Peers.configuration(connections: 64, silence: .seconds(10)))
        // Streams carry something every 15 s.
        streams = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup,
            configuration: Peers.configuration(connections: 50_000, silence: .seconds(40)))
    }

    private static func configuration(connections: Int, silence: TimeAmount) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(1), read: silence))
        // This is shorter than the other side's idle time, so the other side never closes a connection that
        // is about to be used.
        configuration.connectionPool = .init(
            idleTimeout: .seconds(30), concurrentHTTP1ConnectionsPerHostSoftLimit: connections)
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    func shutDown(_ logger: Logger) async {
        for client in [streams, reports] {
            do { try await client.shutdown() } catch {
                logger.debug("connections to other instances do not end", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Returns true if a request comes from another instance.
    func isPeer(_ request: Request) -> Bool {
        guard let claimed = request.headers[Peers.secretHeader] else { return false }
        // The comparison takes as long for a nearly right secret as for a wrong one.
        guard claimed.utf8.count == secret.utf8.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(claimed.utf8, secret.utf8) { difference |= a ^ b }
        return difference == 0
    }

    /// Returns true if a request that failed with this error has not reached the other instance: there was no
    /// connection to it.
    static func neverArrived(_ error: any Error) -> Bool {
        error is NIOConnectionError || (error as? HTTPClientError) == .connectTimeout
    }

    /// Forwards a request and returns the answer, whatever its status.
    ///
    /// - Throws: An error if there is no answer.
    func forward(
        _ request: Request, _ body: ByteBuffer, to address: String, from client: String
    ) async throws -> Response {
        var outgoing = HTTPClientRequest(url: address + request.uri.path)
        outgoing.method = .init(rawValue: request.method.rawValue)
        for name in [HTTPField.Name.authorization, .contentType, .lastEventID, .idempotencyKey] {
            if let value = request.headers[name] { outgoing.headers.add(name: name.rawName, value: value) }
        }
        outgoing.headers.add(name: Peers.secretHeader.rawName, value: secret)
        outgoing.headers.add(name: Peers.addressHeader.rawName, value: client)
        if request.method == .post { outgoing.body = .bytes(body) }
        // A stream's connection carries nothing else.
        let answer = try await (request.method == .get ? streams : reports)
            .execute(outgoing, timeout: Peers.patience)
        var response = Response(status: .init(code: Int(answer.status.code)))
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name), Peers.carried.contains(name) {
                response.headers[name] = value
            }
        }
        if request.method == .get, answer.status == .ok {
            // Otherwise a shutdown would wait for the next event of the other instance, up to 15 s.
            response.body = .init(asyncSequence: answer.body.cancelOnGracefulShutdown())
        } else {
            response.body = .init(byteBuffer: try await answer.body.collect(upTo: Routes.largestBody))
        }
        return response
    }
}
