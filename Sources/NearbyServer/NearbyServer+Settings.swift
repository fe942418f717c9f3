import NearbyService

extension NearbyServer {
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
        /// Name or address where `/healthz` and `/metrics` are, over plain HTTP. They say much of who uses the server: whoever can
        /// connect can read them.
        public var statusHost = "127.0.0.1"
        /// Port of `/healthz` and `/metrics`. 0: any that is free; nil: they are nowhere.
        public var statusPort: Int?
        /// When the status port is taken: true: the server runs without it, and a line in the log says so; false: it ends.
        public var isStatusOptional = false
        /// Reverse proxies whose `X-Forwarded-For` is believed; of all others it is ignored.
        public var trustedProxies = TrustedProxies()
        /// Web pages whose scripts may talk to the server; none: no page may.
        public var allowedOrigins = AllowedOrigins()
        /// A web page that is served beside the API; nil: there is none.
        public var pages: WebPages?
        /// Where people find that page, as browsers write it, when a proxy before the server hides it: one alone, or none.
        public var pageOrigin = AllowedOrigins()
        /// The bounds of connections and bodies; nil for as many connections as the process has descriptors for.
        package var limits: ConnectionLimits?

        /// Plain HTTP, on loopback alone.
        public init() {}
    }

    /// Files in PEM.
    public struct TLS: Sendable {
        /// The server's own certificate first, and then those that vouch for it.
        public var certificateChainPath: String
        /// The key of the first certificate; not encrypted.
        public var privateKeyPath: String

        /// The files are read by ``NearbyServer/run(signals:reloadSignals:onStatus:onListening:)``.
        public init(certificateChainPath: String, privateKeyPath: String) {
            (self.certificateChainPath, self.privateKeyPath) = (certificateChainPath, privateKeyPath)
        }
    }
}
