import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The listener for monitoring, with `/healthz` and `/metrics`.
struct StatusListener: Service, CustomStringConvertible {
    /// The outcome of the attempt to listen.
    enum Outcome: Sendable {
        /// The listener has this port.
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

    /// - Parameter isOptional: True if a taken port causes a line in the log instead of an error.
    init(host: String, port: Int, isOptional: Bool, routes: StatusRoutes, logger: Logger) {
        (self.host, self.port, self.isOptional) = (host, port, isOptional)
        (self.routes, self.logger) = (routes, logger)
        (outcomes, tell) = AsyncStream.makeStream(of: Outcome.self)
    }

    /// Waits for the outcome. Returns `nil` if the listener was cancelled. Call it once.
    func outcome() async -> Outcome? { await outcomes.first { _ in true } }

    /// Runs the listener.
    ///
    /// - Throws: ``ListenError`` if the port is taken, unless the listener is optional.
    func run() async throws {
        defer { tell.finish() }
        let application = operatorApplication(
            routes.router, at: .hostname(host, port: port), logger: logger
        ) { [tell] in tell.yield(.listens($0.localAddress?.port ?? 0)) }
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
            // A cancelled task has nothing to end either.
            do { try await gracefulShutdown() } catch { return }
        }
    }
}
