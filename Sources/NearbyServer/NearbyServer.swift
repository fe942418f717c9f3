import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Nearby
import NearbyService
import ServiceLifecycle
import UnixSignals

/// A Nearby server: a ``NearbyService`` over HTTP. It is a process of its own or a part of another one.
///
///     let server = NearbyServer(service)
///     try await server.run()            // until the task is cancelled, or the process is asked to end
package struct NearbyServer: Sendable {
    /// The name in the header `Server`.
    static let name = "nearby"

    private let service: NearbyService
    private let settings: Settings
    private let logger: Logger
    private let retries: RetryTimes

    /// Makes a server. It listens only in ``run(signals:reloadSignals:onStatus:onListening:)``.
    ///
    /// - Parameters:
    ///   - logger: The log for refused requests and for keys that cannot be checked; Hummingbird uses it too.
    ///   - random: The source of the times after which refused clients come back.
    package init(
        _ service: NearbyService, settings: Settings = Settings(), logger: Logger,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        retries = RetryTimes(random: random)
        (self.service, self.settings, self.logger) = (service, settings, logger)
    }

    /// Checks that a server with these settings could listen and encrypt, before anything is made for it. It
    /// reads certificate and key, takes the ports for a moment, and opens the audit log.
    ///
    /// - Throws: ``TLSProblem``, ``ListenError``, ``AdministrationProblem``.
    package static func check(_ settings: Settings) throws {
        if let tls = settings.tls {
            _ = try TLSContexts(tls, Logger(label: "check") { _ in SwiftLogNoOpLogHandler() })
        }
        try ListenError.check(settings.host, port: settings.port, .clients)
        if let port = settings.statusPort, !settings.isStatusOptional {
            try ListenError.check(settings.statusHost, port: port, .status)
        }
        if let path = settings.administrationSocket { try LocalSocket.check(path, option: "--admin-socket") }
        if let path = settings.auditLog {
            try AuditLog(path: path, logger: Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }).check()
        }
    }

    /// Runs the server until the task is cancelled or a signal asks for the end. A signal closes the streams
    /// at a steady rate first: see ``Settings/drainRate``. Then the last streams end, and requests under way
    /// are answered. Clients that take or send too slowly are cut off after 3 s, or when a
    /// second signal arrives.
    ///
    /// - Parameters:
    ///   - signals: The signals that ask for the end.
    ///   - reloadSignals: The signals that ask for certificate, key and web page to be read again. New
    ///     connections and requests use them. If they cannot be used, a line in the log says why, and the
    ///     previous ones stay.
    ///   - onStatus: Called with the port of the status listener once it listens, before `onListening`; with
    ///     `nil` if there is none.
    ///   - onListening: Called with the port once it is taken, before the first request is answered. If it
    ///     throws, the server ends.
    ///
    /// - Throws: ``ListenError``; ``TLSProblem``; ``ServiceRefusal`` when the store does not answer; the
    ///   errors of `onListening`.
    package func run(
        signals: [UnixSignal] = [.sigterm, .sigint], reloadSignals: [UnixSignal] = [],
        onStatus: @escaping @Sendable (Int?) async -> Void = { _ in },
        onListening: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) async throws {
        // Trapped from now on: a signal that comes while the store is opened must not end the process.
        let reloads = reloadSignals.isEmpty ? nil : await UnixSignalsSequence(trapping: reloadSignals)
        let tls = try settings.tls.map { try TLSContexts($0, logger) }
        let peers = try await service.start().map { Peers(secret: $0) }
        let descriptors = DescriptorLimit.raise()
        if descriptors < DescriptorLimit.least {
            logger.warning(
                "this process may open only \(descriptors) files and sockets: raise its limit, with ulimit -Hn or LimitNOFILE"
            )
        }
        let limits =
            settings.limits ?? .fitting(descriptors: descriptors, perConnection: peers == nil ? 1 : 2)
        let parts = Parts(
            table: ConnectionTable(limits), metrics: Metrics(), log: LimitedLog(logger), tls: tls,
            peers: peers, drain: Drain(rate: settings.drainRate, time: settings.drainTime))
        let status = settings.statusPort.map { port in
            StatusListener(
                host: settings.statusHost, port: port, isOptional: settings.isStatusOptional,
                routes: StatusRoutes(
                    service: service, metrics: parts.metrics, table: parts.table, drain: parts.drain,
                    tls: parts.tls),
                logger: logger)
        }
        var services: [any Service] = [ServiceMaintenance(service: service, logger: logger)]
        if let reloads {
            services.append(Reloader(signals: reloads, contexts: tls, pages: settings.pages, logger: logger))
        }
        if let status { services.append(status) }
        let failure = Failure()
        let administration = try administration(parts, failure)
        if let administration { services.append(administration) }
        var application = application(parts, services, failure, onListening)
        if let administration {
            application.beforeServerStarts { try await administration.waitUntilListening() }
        }
        if let status {
            application.beforeServerStarts {
                switch await status.outcome() {
                case .listens(let port): await onStatus(port)
                case .isAbsent: await onStatus(nil)
                // The error is the same whichever of the two ends first.
                case .failed(let problem): throw problem
                case nil: throw CancellationError()
                }
            }
        }
        let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
        let trapped = signals.isEmpty ? nil : await UnixSignalsSequence(trapping: signals)
        let result: Result<Void, any Error> = await withTaskGroup { watchers in
            watchers.addTask { await failure.end(group) }
            watchers.addTask { [drain = parts.drain] in
                if await drain.isAskedFor() { await NearbyServer.end(group, drain) }
            }
            if let trapped {
                watchers.addTask { await NearbyServer.end(group, parts.drain, parts.table, at: trapped) }
            }
            defer { watchers.cancelAll() }
            do { return .success(try await NearbyServer.runUntilCancelled(group)) } catch {
                return .failure(error)
            }
        }
        await peers?.shutDown(logger)
        if let error = failure.error { throw error }
        do { try result.get() } catch {
            throw ListenError(error, settings.host, port: settings.port, .clients) ?? error
        }
    }

    /// Ends the group in an orderly way at the first signal. It closes all connections at the second one, so
    /// that a user who asks twice does not wait for clients.
    private static func end(
        _ group: ServiceGroup, _ drain: Drain, _ table: ConnectionTable, at signals: UnixSignalsSequence
    ) async {
        await withTaskGroup(of: Void.self) { orderly in
            var count = 0
            for await _ in signals {
                count += 1
                guard count == 1 else {
                    orderly.cancelAll()
                    table.closeAll()
                    continue
                }
                orderly.addTask { await NearbyServer.end(group, drain) }
            }
        }
    }

    /// Closes the streams one after another, and then ends the group. Cancellation ends it at once.
    private static func end(_ group: ServiceGroup, _ drain: Drain) async {
        await drain.run()
        await group.triggerGracefulShutdown()
    }

    /// Runs the group. Cancellation asks for an orderly end, as a signal does. If the server were cancelled,
    /// connections that were accepted and not yet served would end the process.
    private static func runUntilCancelled(_ group: ServiceGroup) async throws {
        let work = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }

    /// The parts that the listeners share.
    private struct Parts: Sendable {
        let table: ConnectionTable
        let metrics: Metrics
        let log: LimitedLog
        let delays = RefusalDelays()
        let tls: TLSContexts?
        let peers: Peers?
        let drain: Drain
    }

    private func application(
        _ parts: Parts, _ services: [any Service], _ failure: Failure,
        _ onListening: @escaping @Sendable (Int) async throws -> Void
    ) -> Application<RouterResponder<ServerContext>> {
        let routes = Routes(
            service: service, metrics: parts.metrics, log: parts.log, delays: parts.delays,
            retries: retries, drain: parts.drain, proxies: settings.trustedProxies,
            peers: parts.peers, origins: settings.allowedOrigins,
            ownOrigin: OwnOrigin(isSecure: settings.tls != nil, named: settings.pageOrigin),
            pages: settings.pages)
        // Hummingbird would log that it listens before this server does.
        var quiet = logger
        quiet.logLevel = max(.notice, logger.logLevel)
        let wholeRequests = WholeRequestResponder(routes, log: quiet)
        return Application(
            router: routes.router,
            server: HTTPServerBuilder { [settings, service] responder in
                GuardedChannel(
                    responder: responder, wholeRequests: wholeRequests,
                    table: parts.table, log: parts.log, delays: parts.delays,
                    admission: { service.admitConnection(from: $0) }, tls: parts.tls,
                    proxies: settings.trustedProxies)
            },
            configuration: .init(
                address: .hostname(settings.host, port: settings.port), serverName: NearbyServer.name,
                backlog: 1024),
            services: services,
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                do {
                    try await service.announce(address(port: port))
                    try await onListening(port)
                } catch { failure.note(error) }
            },
            logger: quiet)
    }

    private func administration(_ parts: Parts, _ failure: Failure) throws -> AdministrationListener? {
        guard let path = settings.administrationSocket else { return nil }
        let routes = AdministrationRoutes(
            service: service, table: parts.table, drain: parts.drain,
            audit: AuditLog(path: settings.auditLog, logger: logger))
        return AdministrationListener(
            try LocalSocket(path, option: "--admin-socket"), routes: routes, failure: failure, logger: logger)
    }

    private func address(port: Int) -> String {
        settings.address
            ?? "\(settings.tls == nil ? "http" : "https")://\(NearbyServer.authority(settings.host, port: port))"
    }

    /// Returns `host:port` as URLs have it: an IPv6 address stands in brackets (RFC 3986 §3.2.2).
    package static func authority(_ host: String, port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
