import Glibc
import NIOSSL

/// The file of ``NearbyClientSettings/trustRoots`` cannot be used.
public struct InvalidTrustRoots: Error, Hashable, CustomStringConvertible {
    /// The kind of fault, as coarse as a caller needs to choose an exit code.
    public enum Kind: Sendable, Hashable {
        /// There is no such file.
        case notThere
        /// The system does not let this process read it.
        case notAllowed
        /// It holds no certificate in PEM.
        case noCertificates
    }

    /// A caller decides by it; people read ``description``.
    public var kind: Kind
    /// The file's name.
    public var path: String
    private let reason: String

    init(_ kind: Kind, _ path: String, _ reason: String) {
        (self.kind, self.path, self.reason) = (kind, path, reason)
    }

    /// One line that begins with the file's name.
    public var description: String { "\(path): \(reason)" }
}

extension NearbyClientSettings {
    /// Reads the file of trusted certificates, so that one that cannot be used is told before a server is asked. Blocks for as long
    /// as a file is read.
    public func checkTrustRoots() throws(InvalidTrustRoots) {
        guard let path = trustRoots else { return }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            let reason = String(cString: strerror(errno))
            throw InvalidTrustRoots(
                [EACCES, EPERM].contains(errno) ? .notAllowed : .notThere, path,
                "\(reason); a file of certificates in PEM is expected")
        }
        close(file)
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(path)
        } catch {
            // The library's words are the same for all that is no certificate.
            certificates = []
        }
        guard !certificates.isEmpty else {
            throw InvalidTrustRoots(
                .noCertificates, path,
                "no certificate in it; '-----BEGIN CERTIFICATE-----' is expected, as 'openssl x509' writes it"
            )
        }
    }
}
