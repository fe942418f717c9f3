import AsyncHTTPClient
import Logging
import Nearby

/// A ``TokenRegistry`` that is a server, over HTTP: what one device talks to.
///
///     let registry = try NearbyClient(server: "https://nearby.example.com", apiKey: key)
///     let engine = NearbyEngine(media: [microphoneAndSpeaker], registry: registry)
///     …
///     await engine.end()
///     await registry.shutdown()
///
/// It registers with the first report. What was found and lost comes by ``news()`` alone, each once and in order, whether an
/// answer or an event brought it.
public final class NearbyClient: TokenRegistry {
    /// The server's address is none.
    public struct InvalidServer: Error, Hashable, CustomStringConvertible {
        /// As it was given.
        public var server: String
        /// What is wrong with it, in words.
        public var reason: String

        /// - Parameters:
        ///   - server: what was given for one.
        ///   - reason: for people; begins in lower case.
        public init(server: String, reason: String) { (self.server, self.reason) = (server, reason) }

        /// One line: what was expected, what came.
        public var description: String {
            "expected http:// or https://, a name, perhaps a port, not '\(server)': \(reason)"
        }
    }

    /// Whether a client could have it for a server. Throws: ``InvalidServer``.
    public static func check(server: String) throws(InvalidServer) { _ = try ServerAddress(server) }

    let core: ClientCore
    /// Its own one; nil where it came with one.
    private let http: HTTPClient?

    /// - Parameters:
    ///   - server: such as `https://nearby.example.com`; the protocol's paths are put after it.
    ///   - apiKey: the project's.
    ///   - http: whoever brings it shuts it down, after this client; redirects must be off in it, or they carry the secret
    ///     elsewhere. Nil: one of its own.
    ///   - random: what pauses are drawn from.
    ///   - log: debug words of registrations and streams; nothing of secrets is in them.
    ///
    /// Throws: ``InvalidServer``.
    public init(
        server: String, apiKey: String, settings: NearbyClientSettings = NearbyClientSettings(),
        http: HTTPClient? = nil,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        log: Logger = Logger(label: "nearby.client")
    ) throws(InvalidServer) {
        let address = try ServerAddress(server)
        let own = http == nil ? NearbyClient.makeHTTP(settings) : nil
        self.http = own
        let web = Web(http: (http ?? own)!, server: address.text, settings: settings)
        core = ClientCore(web, apiKey: apiKey, random: random, log: log)
    }

    deinit {
        core.shut()
        http?.shutdown { _ in }
    }

    public func report(_ report: Report) async throws(RegistryError) -> Answer {
        try await core.report(report)
    }

    public func news() -> AsyncStream<Answer> { core.news }

    /// Ends the stream of events and ``news()``; reports throw from now on. Returns when nothing goes on any more. To be
    /// called once; who lets go of the client instead does not wait for it.
    public func shutdown() async {
        if let follower = core.shut() { await follower.value }
        // Nothing of it matters any more; a second time it says that it is shut down.
        try? await http?.shutdown()
    }

    private static func makeHTTP(_ settings: NearbyClientSettings) -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .init(settings.connectTimeout)
        // The engine tries again by itself, and wants to know.
        configuration.connectionPool.retryConnectionEstablishment = false
        // With HTTP/2 a connection that has died unseen would swallow every report until the system gives it up; here the one
        // whose answer does not come is closed.
        configuration.httpVersion = .http1Only
        if let path = settings.trustRoots {
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.trustRoots = .file(path)
        }
        return HTTPClient(configuration: configuration)
    }
}
