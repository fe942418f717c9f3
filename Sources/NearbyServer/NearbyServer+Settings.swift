import NearbyService

extension NearbyServer {
    /// The settings of a server: where it listens, whether it encrypts, and whom it trusts.
    package struct Settings: Sendable {
        /// The name or address to listen on; 0.0.0.0 for all addresses.
        package var host = "127.0.0.1"
        /// The port to listen on; 0 for any free port.
        package var port = 8480
        /// The certificate and key of the server. `nil` if it speaks plain HTTP, as on loopback or behind a
        /// proxy.
        package var tls: TLS?
        /// The URL where other instances reach this one, `http://host:port`; `nil` if it is made of host and
        /// port.
        package var address: String?
        /// The name or address of `/healthz` and `/metrics`, over plain HTTP. They reveal much about the
        /// users of the server to everybody who can connect.
        package var statusHost = "127.0.0.1"
        /// The port of `/healthz` and `/metrics`; 0 for any free port, `nil` if they are not served.
        package var statusPort: Int?
        /// True if the server runs without its status listener when the status port is taken; a line in the
        /// log says so. False if the server ends then.
        package var isStatusOptional = false
        /// The path of the Unix socket for administrators; `nil` if there is none. Only the user of this
        /// process and root may open it.
        package var administrationSocket: String?
        /// The path of the file with a line for each change that administrators make; `nil` for the log.
        package var auditLog: String?
        /// The reverse proxies whose `X-Forwarded-For` the server believes. It ignores that header from all
        /// others.
        package var trustedProxies = TrustedProxies()
        /// The web pages whose scripts may talk to the server; no page by default.
        package var allowedOrigins = AllowedOrigins()
        /// The web page that the server serves beside the API; `nil` if there is none.
        package var pages: WebPages?
        /// The origin of that page, as browsers write it, for a server behind a proxy that hides it. It holds
        /// one origin or none.
        package var pageOrigin = AllowedOrigins()
        /// The streams that are closed each second when a signal asks for the end.
        package var drainRate = 500.0
        /// The time after which streams that are still open are closed together.
        package var drainTime = Duration.seconds(1)
        /// The limits of connections and bodies; `nil` for as many connections as the process has descriptors
        /// for.
        package var limits: ConnectionLimits?

        /// Makes settings for plain HTTP on loopback alone.
        package init() {}
    }

    /// The files of certificate and key in PEM.
    package struct TLS: Sendable {
        /// The path of a file with the server's own certificate first and then its intermediate certificates.
        package var certificateChainPath: String
        /// The path of the key of the first certificate, which is not encrypted.
        package var privateKeyPath: String

        /// Notes the paths. ``NearbyServer/run(signals:reloadSignals:onStatus:onListening:)`` reads the
        /// files.
        package init(certificateChainPath: String, privateKeyPath: String) {
            (self.certificateChainPath, self.privateKeyPath) = (certificateChainPath, privateKeyPath)
        }
    }
}
