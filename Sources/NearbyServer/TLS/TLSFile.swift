import FileNames
import FoundationEssentials
import Glibc
import NIOSSL

/// An error for a certificate or a key that cannot be used.
package struct TLSProblem: Error, CustomStringConvertible {
    /// The file, what is wrong with it, and what to do.
    package let description: String
    /// The error of the TLS library; `nil` if it was not called.
    let cause: (any Error)?

    init(_ description: String, _ cause: (any Error)? = nil) {
        (self.description, self.cause) = (description, cause)
    }
}

/// Reads a file of a certificate or a key as a whole.
enum TLSFile {
    private static let largest = 1 << 20

    /// Returns the certificates of a PEM file, at least one.
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

    /// Returns the key of a PEM file.
    static func key(_ path: String) throws(TLSProblem) -> NIOSSLPrivateKey {
        let bytes = try read(path, "private key")
        let text = String(decoding: bytes, as: UTF8.self)
        // The library would ask for the password on the terminal.
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

    /// Checks the validity of the first certificate.
    ///
    /// - Throws: ``TLSProblem`` if it is not valid yet or has expired.
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
        // These bytes begin a DER sequence whose length has two bytes.
        return bytes.starts(with: [0x30, 0x82]) ? ": it looks like DER, which openssl turns into PEM" : ""
    }

    /// - Parameter kind: The expected content of the file, for the error.
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

    /// Returns true if users other than the owner and its group may read the file; `nil` if the file cannot
    /// be examined.
    static func isOpenToOthers(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o007 != 0
    }

    private static func problem(_ path: String, _ kind: String) -> TLSProblem {
        TLSProblem("\(kind) \(path): \(String(cString: strerror(errno)))")
    }
}
