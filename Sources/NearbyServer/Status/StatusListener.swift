import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Listens for those who watch the server.
struct StatusListener: Service, CustomStringConvertible {
    /// Whether it listens.
    enum Outcome: Sendable {
        /// It listens on this port.
        case listens(Int)
        /// Its port is taken, and the server runs without a status listener.
        case isAbsent
        /// Its port is taken, and the server ends.
        case failed(ListenError)
    }

    let description = "StatusListener"
    private let host: String
    private let port: Int
    private let isOptional: Bool
    private let routes: StatusRoutes
    private let logger: Logger
    private let outcomes: AsyncStream<Outcome>
    private let tell: AsyncStream<Outcome>.Continuation

    /// - Parameter isOptional: a port that is taken is a line in the log, and no error.
    init(host: String, port: Int, isOptional: Bool, routes: StatusRoutes, logger: Logger) {
        (self.host, self.port, self.isOptional) = (host, port, isOptional)
        (self.routes, self.logger) = (routes, logger)
        (outcomes, tell) = AsyncStream.makeStream(of: Outcome.self)
    }

    /// Waits until it listens, or does not. Nil: it was cancelled. To be called once.
    func outcome() async -> Outcome? { await outcomes.first { _ in true } }

    /// Throws: ``ListenError``, unless it is optional.
    func run() async throws {
        defer { tell.finish() }
        // Few are enough for those who watch, and all of them must fit into the descriptors that clients leave.
        let table = ConnectionTable(ConnectionLimits(total: 16))
        let log = LimitedLog(logger)
        var quiet = logger
        quiet.logLevel = max(.warning, logger.logLevel)
        let application = Application(
            router: routes.router,
            server: HTTPServerBuilder {
                GuardedChannel(responder: $0, table: table, log: log, delays: nil, tls: nil)
            },
            configuration: .init(address: .hostname(host, port: port), serverName: "nearby"),
            onServerRunning: { [tell] in tell.yield(.listens($0.localAddress?.port ?? 0)) },
            logger: quiet)
        do {
            try await application.run()
        } catch {
            guard let problem = ListenError(error, host, port: port, .status) else { throw error }
            guard isOptional else {
                tell.yield(.failed(problem))
                throw problem
            }
            logger.warning("no /healthz and /metrics: \(problem)")
            tell.yield(.isAbsent)
            // Cancelled, it has nothing to end either.
            do { try await gracefulShutdown() } catch { return }
        }
    }
}
