import Logging
import NIOSSL
import Synchronization

/// The certificate and the key that new connections use. They can be read anew while the server runs.
final class TLSContexts: Sendable {
    private let files: NearbyServer.TLS
    private let context: Mutex<NIOSSLContext>
    private let handshakes = Atomic(0)

    /// Throws: ``TLSProblem``.
    init(_ files: NearbyServer.TLS, _ logger: Logger) throws(TLSProblem) {
        self.files = files
        context = Mutex(try TLSContexts.read(files, logger))
        do throws(TLSProblem) { try TLSContexts.checkTime(files) } catch {
            logger.error("clients will refuse this server: \(error)")
        }
    }

    /// The number of handshakes that were begun.
    var handshakeCount: Int { handshakes.load(ordering: .relaxed) }

    /// Makes the handler of a new connection, which begins a handshake.
    func makeHandler() -> NIOSSLServerHandler {
        handshakes.add(1, ordering: .relaxed)
        return NIOSSLServerHandler(context: context.withLock { $0 })
    }

    /// Reads the files again for new connections. Open connections keep their certificate and key.
    ///
    /// - Throws: ``TLSProblem``; then nothing has changed.
    func reload(_ logger: Logger) throws(TLSProblem) {
        let new = try TLSContexts.read(files, logger)
        try TLSContexts.checkTime(files)
        context.withLock { $0 = new }
    }

    private static func read(_ files: NearbyServer.TLS, _ logger: Logger) throws(TLSProblem)
        -> NIOSSLContext
    {
        let (chainPath, keyPath) = (files.certificateChainPath, files.privateKeyPath)
        let chain = try TLSFile.certificates(chainPath)
        let key = try TLSFile.key(keyPath)
        let context: NIOSSLContext
        do { context = try NIOSSLContext(configuration: configuration(chain, key)) } catch {
            throw TLSProblem(
                "private key \(keyPath): not the key of the first certificate in \(chainPath)", error)
        }
        if TLSFile.isOpenToOthers(keyPath) == true {
            logger.warning(
                "other users of this machine may use the private key: chmod o= \(keyPath)")
        }
        return context
    }

    /// Checks that the certificate is valid now. Clients refuse one that is not, but a machine that starts
    /// may not know the time yet.
    ///
    /// Throws: ``TLSProblem``.
    static func checkTime(_ files: NearbyServer.TLS) throws(TLSProblem) {
        try TLSFile.checkTime(
            try TLSFile.certificates(files.certificateChainPath), files.certificateChainPath)
    }

    /// Returns a configuration with TLS 1.3 and the suites of TLS 1.2 that have forward secrecy and
    /// authenticated encryption (RFC 9325 §4.2).
    private static func configuration(
        _ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey
    ) -> TLSConfiguration {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        tls.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        return tls
    }
}
