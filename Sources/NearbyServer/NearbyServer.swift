import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import Nearby
import NearbyService
import ServiceLifecycle
import UnixSignals

/// A Nearby server: a ``NearbyService`` over HTTP. One process of it, or a part of another one.
///
///     let server = NearbyServer(service)
///     try await server.run()            // until the task is cancelled, or the process is asked to end
public struct NearbyServer: Sendable {
    /// Where a server listens, and whether it encrypts.
    public struct Settings: Sendable {
        /// Name or address to listen on; 0.0.0.0 for all.
        public var host = "127.0.0.1"
        /// 0: any that is free.
        public var port = 8480
        /// Its certificate and key; nil: it speaks plain HTTP, as on loopback or behind a proxy.
        public var tls: TLS?
        /// Where other instances reach this one, `http://host:port`; nil: at its host and port.
        public var address: String?

        /// Plain HTTP, on loopback alone.
        public init() {}
    }

    /// Files in PEM.
    public struct TLS: Sendable {
        /// The server's own certificate first, and then those that vouch for it.
        public var certificateChainPath: String
        /// Of the first certificate; not encrypted.
        public var privateKeyPath: String

        /// The files are read by ``NearbyServer/run(signals:onListening:)``.
        public init(certificateChainPath: String, privateKeyPath: String) {
            (self.certificateChainPath, self.privateKeyPath) = (certificateChainPath, privateKeyPath)
        }
    }

    private let service: NearbyService
    private let settings: Settings
    private let logger: Logger

    /// Listens only with ``run(signals:onListening:)``.
    ///
    /// - Parameter logger: told of requests that are refused and of keys that cannot be checked;
    ///   Hummingbird's too.
    public init(_ service: NearbyService, settings: Settings = Settings(), logger: Logger) {
        (self.service, self.settings, self.logger) = (service, settings, logger)
    }

    /// Until the task is cancelled, or a signal asks for the end: then streams end, and what is under way is answered.
    ///
    /// - Parameters:
    ///   - signals: that ask for the end.
    ///   - onListening: called with the port once requests are taken.
    ///
    /// Throws: a port that is taken, certificates that are none; ``ServiceRefusal`` when the store does not answer.
    public func run(
        signals: [UnixSignal] = [.sigterm, .sigint],
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let peers = try await service.start().map { Peers(secret: $0) }
        do {
            try await serve(peers, signals, onListening)
        } catch {
            await peers?.shutDown()
            throw error
        }
        await peers?.shutDown()
    }

    private func serve(
        _ peers: Peers?, _ signals: [UnixSignal], _ onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let routes = Routes(
            service: service, metrics: Metrics(), refusals: RefusalLog(logger), peers: peers)
        let application = Application(
            router: routes.router, server: try transport(),
            configuration: .init(
                address: .hostname(settings.host, port: settings.port), serverName: "nearby"),
            services: [Caretaker(service: service, logger: logger)],
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                // It has joined: nothing is left to fail.
                try? await service.announce(address(port: port))
                await onListening(port)
            },
            logger: logger)
        try await application.runService(gracefulShutdownSignals: signals)
    }

    private func address(port: Int) -> String {
        settings.address ?? "\(settings.tls == nil ? "http" : "https")://\(settings.host):\(port)"
    }

    private func transport() throws -> HTTPServerBuilder {
        // Streams say something every 15 s; who says nothing for a minute is gone.
        let http = HTTP1Channel.Configuration(idleTimeout: .seconds(60))
        guard let files = settings.tls else { return .http1(configuration: http) }
        let chain = try NIOSSLCertificate.fromPEMFile(files.certificateChainPath)
        let key = try NIOSSLPrivateKey(file: files.privateKeyPath, format: .pem)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        return try .tls(.http1(configuration: http), tlsConfiguration: tls)
    }
}

/// What a service needs besides requests: keys that were revoked, and an orderly end.
private struct Caretaker: Service, CustomStringConvertible {
    let description = "Caretaker"
    let service: NearbyService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for round in 1... {
                guard (try? await Task.sleep(for: .seconds(5))) != nil else { return }
                if round % 3 == 0 { await service.pulse() }
                do {
                    try await service.checkKeys()
                } catch {
                    logger.warning("keys are not checked", metadata: ["error": "\(error)"])
                }
            }
        }
        try await service.shutDown()
    }
}
