import FileNames
import FoundationEssentials
import Glibc
import NIOSSL

/// A certificate or a key cannot be used.
public struct TLSProblem: Error, CustomStringConvertible {
    /// The file, what is wrong with it, and what to do.
    public let description: String
    /// The TLS library's words; nil when it was not asked.
    let cause: (any Error)?

    init(_ description: String, _ cause: (any Error)? = nil) {
        (self.description, self.cause) = (description, cause)
    }
}

/// A file of a certificate or a key, read as a whole.
enum TLSFile {
    private static let largest = 1 << 20

    /// The certificates of a file in PEM, at least one.
    static func certificates(_ path: String) throws(TLSProblem) -> [NIOSSLCertificate] {
        let bytes = try read(path, "certificate")
        let reason: any Error
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(bytes)
            if !chain.isEmpty { return chain }
            throw NIOSSLError.failedToLoadCertificate
        } catch { reason = error }
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("-----BEGIN CERTIFICATE") {
            throw TLSProblem("certificate \(path): a certificate in it is cut off or damaged", reason)
        }
        if text.contains("PRIVATE KEY-----") {
            throw TLSProblem(
                "certificate \(path): a private key: --certificate and --private-key are swapped", reason)
        }
        throw TLSProblem("certificate \(path): no PEM certificate in it" + isDER(bytes), reason)
    }

    /// The key of a file in PEM.
    static func key(_ path: String) throws(TLSProblem) -> NIOSSLPrivateKey {
        let bytes = try read(path, "private key")
        let text = String(decoding: bytes, as: UTF8.self)
        // Asked for its password, the library would read it from the terminal.
        if text.contains("ENCRYPTED") {
            throw TLSProblem(
                "private key \(path): encrypted, and nobody is there to be asked: openssl pkey -in \(path) writes it as it is"
            )
        }
        do { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) } catch {
            if text.contains("PRIVATE KEY-----") {
                throw TLSProblem("private key \(path): the key in it is cut off or damaged", error)
            }
            if text.contains("-----BEGIN CERTIFICATE") {
                throw TLSProblem(
                    "private key \(path): a certificate: --certificate and --private-key are swapped", error)
            }
            throw TLSProblem("private key \(path): no unencrypted PEM key in it" + isDER(bytes), error)
        }
    }

    /// Throws: the first certificate is not valid yet, or not any more.
    static func checkTime(_ chain: [NIOSSLCertificate], _ path: String) throws(TLSProblem) {
        guard let own = chain.first else { return }
        let now = Date().timeIntervalSince1970
        let (start, end) = (TimeInterval(own.notValidBefore), TimeInterval(own.notValidAfter))
        func day(_ seconds: TimeInterval) -> String {
            Date(timeIntervalSince1970: seconds).formatted(.iso8601.year().month().day())
        }
        if end < now { throw TLSProblem("certificate \(path): expired on \(day(end)): renew it") }
        if start > now {
            throw TLSProblem(
                "certificate \(path): not valid before \(day(start)); is this machine's clock right?")
        }
    }

    private static func isDER(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return ": it is empty" }
        // A sequence of more than 127 bytes.
        return bytes.starts(with: [0x30, 0x82]) ? ": it looks like DER, which openssl turns into PEM" : ""
    }

    /// - Parameter kind: what the file should hold, for the error.
    private static func read(_ path: String, _ kind: String) throws(TLSProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(path, kind) }
        defer { close(descriptor) }
        guard let bytes = readRest(of: descriptor, upTo: largest + 1) else { throw problem(path, kind) }
        guard bytes.count <= largest else {
            throw TLSProblem("\(kind) \(path): more than \(largest) bytes, which no PEM file has")
        }
        return bytes
    }

    /// Whether users other than the owner and its group may read the file; nil when nobody knows.
    static func isOpenToOthers(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o007 != 0
    }

    private static func problem(_ path: String, _ kind: String) -> TLSProblem {
        TLSProblem("\(kind) \(path): \(String(cString: strerror(errno)))")
    }
}
