import NearbyService

extension NearbyServer {
    /// The settings of a server: where it listens, whether it encrypts, and whom it trusts.
    public struct Settings: Sendable {
        /// The name or address to listen on; 0.0.0.0 for all addresses.
        public var host = "127.0.0.1"
        /// The port to listen on; 0 for any free port.
        public var port = 8480
        /// The certificate and key of the server. `nil` if it speaks plain HTTP, as on loopback or behind a
        /// proxy.
        public var tls: TLS?
        /// The URL where other instances reach this one, `http://host:port`; `nil` if it is made of host and
        /// port.
        public var address: String?
        /// The name or address of `/healthz` and `/metrics`, over plain HTTP. They reveal much about the
        /// users of the server to everybody who can connect.
        public var statusHost = "127.0.0.1"
        /// The port of `/healthz` and `/metrics`; 0 for any free port, `nil` if they are not served.
        public var statusPort: Int?
        /// True if the server runs without its status listener when the status port is taken; a line in the
        /// log says so. False if the server ends then.
        public var isStatusOptional = false
        /// The path of the Unix socket for administrators; `nil` if there is none. Only the user of this
        /// process and root may open it.
        public var administrationSocket: String?
        /// The path of the file with a line for each change that administrators make; `nil` for the log.
        public var auditLog: String?
        /// The reverse proxies whose `X-Forwarded-For` the server believes. It ignores that header from all
        /// others.
        public var trustedProxies = TrustedProxies()
        /// The web pages whose scripts may talk to the server; no page by default.
        public var allowedOrigins = AllowedOrigins()
        /// The web page that the server serves beside the API; `nil` if there is none.
        public var pages: WebPages?
        /// The origin of that page, as browsers write it, for a server behind a proxy that hides it. It holds
        /// one origin or none.
        public var pageOrigin = AllowedOrigins()
        /// The streams that are closed each second when a signal asks for the end.
        public var drainRate = 500.0
        /// The time after which streams that are still open are closed together.
        public var drainTime = Duration.seconds(1)
        /// The limits of connections and bodies; `nil` for as many connections as the process has descriptors
        /// for.
        package var limits: ConnectionLimits?

        /// Makes settings for plain HTTP on loopback alone.
        public init() {}
    }

    /// The files of certificate and key in PEM.
    public struct TLS: Sendable {
        /// The path of a file with the server's own certificate first and then its intermediate certificates.
        public var certificateChainPath: String
        /// The path of the key of the first certificate, which is not encrypted.
        public var privateKeyPath: String

        /// Notes the paths. ``NearbyServer/run(signals:reloadSignals:onStatus:onListening:)`` reads the
        /// files.
        public init(certificateChainPath: String, privateKeyPath: String) {
            (self.certificateChainPath, self.privateKeyPath) = (certificateChainPath, privateKeyPath)
        }
    }
}
