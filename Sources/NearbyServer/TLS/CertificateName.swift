import NIOSSL

/// The name by which browsers reach a server, as its certificate has it.
package enum CertificateName {
    /// Returns the first name of a certificate that other machines can open; `nil` if the file cannot be read
    /// or its certificate is for addresses only.
    ///
    /// - Parameter path: a PEM file; the server's own certificate is the first in it.
    package static func first(ofFile path: String) -> String? {
        guard let own = try? TLSFile.certificates(path).first else { return nil }
        let names = own._subjectAlternativeNames().filter { $0.nameType == .dnsName }
        return first(of: names.map { String(decoding: $0.contents, as: UTF8.self) })
    }

    /// Returns the first of a certificate's names that a browser on another machine can open. A wildcard
    /// names no host, and `localhost` is another machine there.
    static func first(of names: [String]) -> String? {
        names.first { name in
            let host = name.lowercased()
            let isHostName = host.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
            return isHostName && !host.isEmpty && host != "localhost" && !host.hasSuffix(".localhost")
        }
    }
}
