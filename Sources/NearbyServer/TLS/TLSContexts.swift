import Logging
import NIOSSL
import Synchronization

/// The certificate and the key that new connections use. They can be read anew while the server runs.
final class TLSContexts: Sendable {
    private let files: NearbyServer.TLS
    private let context: Mutex<NIOSSLContext>

    /// Throws: ``TLSProblem``.
    init(_ files: NearbyServer.TLS, _ logger: Logger) throws {
        self.files = files
        context = Mutex(try TLSContexts.read(files, logger))
    }

    var current: NIOSSLContext { context.withLock { $0 } }

    /// New connections use what the files hold now. Those that are open keep theirs.
    ///
    /// Throws: ``TLSProblem``: then nothing has changed.
    func reload(_ logger: Logger) throws {
        let new = try TLSContexts.read(files, logger)
        context.withLock { $0 = new }
    }

    private static func read(_ files: NearbyServer.TLS, _ logger: Logger) throws(TLSProblem)
        -> NIOSSLContext
    {
        let (chainPath, keyPath) = (files.certificateChainPath, files.privateKeyPath)
        let chainBytes = try TLSFile.read(chainPath, "certificate")
        let keyBytes = try TLSFile.read(keyPath, "private key")
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(chainBytes), !chain.isEmpty else {
            throw TLSProblem(description: "certificate \(chainPath): no PEM certificate in it")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: keyBytes, format: .pem) else {
            throw TLSProblem(description: "private key \(keyPath): no unencrypted PEM key in it")
        }
        guard let context = try? NIOSSLContext(configuration: configuration(chain, key)) else {
            throw TLSProblem(
                description: "private key \(keyPath): not the key of the first certificate in \(chainPath)")
        }
        if TLSFile.isOpenToOthers(keyPath) == true {
            logger.warning(
                "other users of this machine may use the private key: chmod o= \(keyPath)")
        }
        return context
    }

    /// TLS 1.3, and of TLS 1.2 what has forward secrecy and authenticated encryption (RFC 9325 §4.2).
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
