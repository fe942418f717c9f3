import Glibc
import NIOSSL

/// The error of an unusable file in ``NearbyClientSettings/trustRoots``.
public struct InvalidTrustRoots: Error, Hashable, CustomStringConvertible {
    /// The kind of fault, fine enough to choose an exit code.
    public enum Kind: Sendable, Hashable {
        /// The file does not exist.
        case notThere
        /// The system does not let this process read the file.
        case notAllowed
        /// The file holds no certificate in PEM.
        case noCertificates
    }

    /// The kind of fault, for callers; ``description`` is for people.
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
    /// Checks the file of trusted certificates, so that an unusable file is reported before the first
    /// request. It blocks while it reads the file.
    ///
    /// Throws: ``InvalidTrustRoots``.
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
            // The library reports the same error for every file without a certificate.
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
