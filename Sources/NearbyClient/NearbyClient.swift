import AsyncHTTPClient
import Logging
import Nearby

/// A ``TokenRegistry`` that represents one device at a server, over HTTP.
///
///     let registry = try NearbyClient(server: "https://nearby.example.com", apiKey: key)
///     let engine = NearbyEngine(media: [microphoneAndSpeaker], registry: registry)
///     …
///     await engine.end()
///     await registry.shutdown()
///
/// The client registers with its first report. Only ``events()`` reports findings and losses, each once and
/// in order, no matter whether an answer or an event brought them.
public final class NearbyClient: TokenRegistry {
    /// The error of an invalid server address.
    public struct InvalidServer: Error, Hashable, CustomStringConvertible {
        /// The address as the caller gave it.
        public var server: String
        /// The fault of the address, in words.
        public var reason: String

        /// - Parameters:
        ///   - server: the address as the caller gave it.
        ///   - reason: the fault, for people; it begins in lower case.
        public init(server: String, reason: String) { (self.server, self.reason) = (server, reason) }

        /// One line with the expected form, the given address and the fault.
        public var description: String {
            "expected http:// or https://, a name, perhaps a port, not '\(server)': \(reason)"
        }
    }

    /// Checks that an address is valid for a client. Throws: ``InvalidServer``.
    public static func check(server: String) throws(InvalidServer) { _ = try ServerAddress(server) }

    let core: ClientCore
    /// The client's own HTTP client; `nil` if the caller provided one.
    private let http: HTTPClient?

    /// - Parameters:
    ///   - server: an address such as `https://nearby.example.com`; the protocol's paths follow it.
    ///   - apiKey: the project's API key.
    ///   - deviceFile: a file that keeps the device's secret over restarts; only the owner can read it. A
    ///     device that loses its power then stays the same device at this server. Two clients must not share
    ///     a file.
    ///   - http: an HTTP client that the caller shuts down after this client. Its redirects must be off,
    ///     because a redirect would carry the secret elsewhere. Without it, the client creates its own.
    ///   - random: the source of randomness for pauses and for the name of the registration, which nobody may
    ///     guess.
    ///   - log: receives debug lines about registrations and streams, without secrets.
    ///
    /// Throws: ``InvalidServer``.
    public init(
        server: String, apiKey: String, settings: NearbyClientSettings = NearbyClientSettings(),
        deviceFile: String? = nil, http: HTTPClient? = nil,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        log: Logger = Logger(label: "nearby.client")
    ) throws(InvalidServer) {
        let address = try ServerAddress(server)
        let own = http == nil ? NearbyClient.makeHTTP(settings) : nil
        self.http = own
        let web = Web(http: (http ?? own)!, server: address.text, settings: settings)
        core = ClientCore(
            web, apiKey: apiKey, file: deviceFile.map { DeviceFile(path: $0) }, random: random, log: log)
    }

    deinit {
        core.shut()
        http?.shutdown { _ in }
    }

    public func report(_ report: Report) async throws(RegistryError) -> Answer {
        try await core.report(report)
    }

    public func events() -> AsyncStream<Answer> { core.events }

    /// Ends the stream of events and ``events()``. Later reports throw. The call returns once all work has
    /// ended. Call it once. A client that is released without this call shuts down too, but nothing waits for
    /// it.
    public func shutdown() async {
        if let follower = core.shut() { await follower.value }
        // A second shutdown throws, which does not matter any more.
        try? await http?.shutdown()
    }

    private static func makeHTTP(_ settings: NearbyClientSettings) -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .init(settings.connectTimeout)
        // The engine retries by itself, so it must learn of each failure.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Over HTTP/2, a connection that died unnoticed would swallow every report until the system gives it
        // up. Over HTTP/1.1, a missing answer closes its connection.
        configuration.httpVersion = .http1Only
        if let path = settings.trustRoots {
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.trustRoots = .file(path)
        }
        return HTTPClient(configuration: configuration)
    }
}
