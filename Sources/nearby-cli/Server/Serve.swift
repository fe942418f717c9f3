import ArgumentParser
import CommandOutput
import FoundationEssentials
import Logging
import NearbyClient
import NearbyServer
import NearbyService
import SetTopBoxService
import UnixSignals

struct Serve: AsyncParsableCommand {
    /// A log level, with its name in `Logger.Level`.
    enum Level: String, ExpressibleByArgument, CaseIterable {
        case debug, info, notice, warning, error
    }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json

        /// Prints a line regardless of the log level, because the user who started the server waits for it.
        func say(_ words: String, _ url: String) {
            switch self {
            case .text: StandardError.write("\(words) \(url)")
            case .json: JSONLogHandler.write("nearby", .info, "\(words)", ["url": "\(url)"])
            }
        }

        func warn(_ words: String) {
            switch self {
            case .text: StandardError.write(words)
            case .json: JSONLogHandler.write("nearby", .warning, "\(words)", [:])
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a server, to which devices report the tokens they hear to learn what is near.",
        discussion: """
            The server needs no configuration. On its first start it creates a project 'default' and prints an API \
            key for it on standard output; 'nearby keys create' creates more. /healthz and /metrics have an address \
            of their own. SIGHUP reloads certificate, key and web page; SIGTERM and SIGINT shut the server down.

              nearby serve
              nearby serve --web
              nearby serve --host 0.0.0.0 --certificate chain.pem --private-key key.pem
              nearby serve --trust-proxy 127.0.0.1
              nearby serve --store postgres://nearby@db/nearby --host 10.0.0.1
            """)

    @Option(help: ArgumentHelp("Name or address to listen on; 0.0.0.0 for all addresses.", valueName: "name"))
    var host = "127.0.0.1"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Port to listen on; 0 for any free one.", valueName: "number"))
    var port = 8480

    @Option(help: ArgumentHelp("Serve TLS with the certificate chain in this PEM file.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("PEM file with the certificate's private key.", valueName: "file"))
    var privateKey: String?

    @Option(
        help: ArgumentHelp(
            "With --store: URL at which the other servers reach this one. (default: http://host:port)",
            valueName: "URL"))
    var address: String?

    @Option(
        help: ArgumentHelp(
            "Name or address for /healthz and /metrics; whoever can connect to it can read them.",
            valueName: "name"))
    var statusHost = "127.0.0.1"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Port for /healthz and /metrics; 0 for any free one. (default: the one after --port)",
            valueName: "number"))
    var statusPort: Int?

    @Option(
        help: ArgumentHelp(
            "Trust the X-Forwarded-For header of this reverse proxy; may be repeated.",
            valueName: "address|CIDR"))
    var trustProxy: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let scripts of this origin use the server, such as https://app.example; '*' for every origin. May be repeated.",
            valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write the first API key to this file, which only its owner can read, instead of to standard output.",
            valueName: "file"))
    var firstKeyFile: String?

    @Option(help: ArgumentHelp("Lowest level of log lines on standard error.", valueName: "level"))
    var logLevel = Level.info

    @Option(
        help: ArgumentHelp("Print log lines as text, or as one JSON object per line.", valueName: "format"))
    var logFormat = Format.text

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Devices that may register per second from one address; bursts may have 25 times as many.",
            valueName: "number"))
    var registrationsPerAddress = 20.0

    @OptionGroup var storms: StormOptions
    @OptionGroup var administration: AdministrationOptions
    @OptionGroup var web: WebOptions
    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard (0.04...1_000_000).contains(registrationsPerAddress) else {
            throw ValidationError(
                "--registrations-per-address must be 0.04 (one in 25 seconds) to 1000000, not \(registrationsPerAddress)"
            )
        }
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535") }
        guard (0...65_535).contains(statusPort ?? 0) else {
            throw ValidationError("--status-port must be 0 to 65535")
        }
        do { _ = try TrustedProxies(trustProxy) } catch { throw ValidationError("--trust-proxy: \(error)") }
        do { _ = try AllowedOrigins(allowOrigin) } catch { throw ValidationError("--allow-origin: \(error)") }
        guard (certificate == nil) == (privateKey == nil) else {
            throw ValidationError("--certificate and --private-key need each other")
        }
        if let address {
            do throws(NearbyClient.InvalidServer) { try NearbyClient.check(server: address) } catch {
                throw ValidationError("--address: \(error)")
            }
        }
        if store.isShared, address == nil, ["0.0.0.0", "::"].contains(host) {
            throw ValidationError(
                "--store with --host \(host) needs --address, the URL at which the other servers reach this one"
            )
        }
    }

    func run() async throws {
        let settings = try makeSettings()
        // The check comes before any file is created or line written.
        try check(settings)
        let store = try await store.open()
        if try await store.projects().isEmpty { try NewKey.check(firstKeyFile) }
        var logger = Logger(label: "nearby") { [logFormat] label -> any LogHandler in
            switch logFormat {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(label: label)
            }
        }
        logger.logLevel = Logger.Level(rawValue: logLevel.rawValue)!
        let clock = ServiceClock.machine()
        var limits = ServiceSettings()
        limits.registrationsPerAddress = .init(
            perSecond: registrationsPerAddress, atOnce: 25 * registrationsPerAddress)
        limits.returnsPerSecond = storms.returnRate
        let service = NearbyService(settings: limits, store: store, clock: clock, log: logger)
        let server = NearbyServer(service, settings: settings, logger: logger)
        let scheme = certificate == nil ? "http" : "https"
        do {
            try await server.run(
                signals: UnixSignal.heeded(.sigterm, .sigint), reloadSignals: [.sighup],
                onStatus: { [statusHost, logFormat] port in
                    guard let port else { return }
                    logFormat.say("status at", "http://\(NearbyServer.authority(statusHost, port: port))")
                },
                onListening: { [self] port in
                    // The key is made only now, because the key of a server that does not listen is
                    // worthless.
                    if try await makeFirstProject(in: store) { try await service.start() }
                    if let pages = settings.pages { pages.setKey(try await web.key(in: store)) }
                    logFormat.say(
                        "listening on", "\(scheme)://\(NearbyServer.authority(host, port: port))")
                    if web.isOn { tellPage(port) }
                })
        } catch {
            throw failure(error)
        }
    }

    private func check(_ settings: NearbyServer.Settings) throws {
        do { try NearbyServer.check(settings) } catch { throw failure(error) }
    }

    /// Converts an error to one line with its exit code.
    private func failure(_ error: any Error) -> any Error {
        switch error {
        case let error as ListenError:
            CommandFailure(error.isOfPermission ? .noPermission : .unavailable, "\(error)")
        case let error as TLSProblem: CommandFailure(.noInput, "\(error)")
        case ServiceRefusal.unavailable(let why): CommandFailure(.unavailable, why)
        case let error as ServiceRefusal: CommandFailure(.unavailable, "\(error)")
        case is CommandFailure, is StoreError, is AdministrationProblem: error
        default: CommandFailure(.unavailable, "\(NearbyServer.authority(host, port: port)): \(error)")
        }
    }

    private func tellPage(_ port: Int) {
        let address = PageAddress(
            host: host, port: port, certificate: certificate, named: web.webAddress)
        logFormat.say("web page at", address.url)
        if let warning = address.warning { logFormat.warn(warning) }
        if logFormat == .text { web.draw(address.url) }
    }

    /// Makes the first project if the store has none. Returns `true` if there was none.
    private func makeFirstProject(in store: any ServiceStore) async throws -> Bool {
        guard try await store.projects().isEmpty else { return false }
        do {
            // The file is checked again now that there is a key to write, so that no key is lost.
            try NewKey.check(firstKeyFile)
            let project = try await store.createProject("default")
            try await Keys.make(
                "first", of: project, in: store, to: firstKeyFile, folder: self.store.folder)
        } catch StoreError.exists {
            // Another server, started at the same time, has made the project.
        }
        return true
    }

    private func makeSettings() throws -> NearbyServer.Settings {
        var settings = NearbyServer.Settings()
        (settings.host, settings.port, settings.address) = (host, port, address)
        settings.statusHost = statusHost
        settings.statusPort = statusPort ?? (port == 0 ? 0 : min(port + 1, 65_535))
        settings.isStatusOptional = statusPort == nil
        settings.trustedProxies = try TrustedProxies(trustProxy)
        settings.allowedOrigins = try AllowedOrigins(allowOrigin)
        (settings.pages, settings.pageOrigin) = (try web.pages(), try web.origin())
        settings.administrationSocket = administration.adminSocket
        settings.auditLog = administration.auditLog
        settings.drainRate = storms.drainRate
        settings.drainTime = .seconds(storms.drainSeconds)
        if let certificate, let privateKey {
            settings.tls = .init(certificateChainPath: certificate, privateKeyPath: privateKey)
        }
        return settings
    }
}
