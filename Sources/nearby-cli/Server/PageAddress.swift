import Glibc
import NearbyServer
import NearbyService

/// The address of a server's web page.
struct PageAddress {
    /// The URL for a browser.
    let url: String
    /// The reason why phones cannot use the whole page at this address; `nil` if they can.
    let warning: String?

    /// - Parameters:
    ///   - host: the host on which the server listens.
    ///   - certificate: the file of the server's certificate; `nil` if the server does not encrypt.
    ///   - named: the page's public address, if the user gave one; `nil` to use the server's own address.
    init(host: String, port: Int, certificate: String?, named: String?) {
        let isSecure = certificate != nil
        let scheme = isSecure ? "https" : "http"
        let shown = PageAddress.shown(host, certificate)
        let standard = isSecure ? 443 : 80
        var authority = NearbyServer.authority(shown, port: port)
        if port == standard { authority.removeLast(":\(port)".utf8.count) }
        url = named ?? "\(scheme)://\(authority)"
        // Browsers give the microphone only to pages that came encrypted or from the same machine.
        let isLocal = named == nil && (["localhost", "::1"].contains(host) || host.hasPrefix("127."))
        warning =
            url.lowercased().hasPrefix("https:") || isLocal
            ? nil
            : "phones allow the microphone only over https; use --certificate and --private-key, or a proxy "
                + "and --web-address"
    }

    /// Returns a name or an address that a browser can open. A server that listens on all addresses has the
    /// name that its certificate is for: browsers refuse the certificate at another one.
    private static func shown(_ host: String, _ certificate: String?) -> String {
        switch host {
        case "127.0.0.1": "localhost"
        case "0.0.0.0", "::":
            certificate.flatMap(CertificateName.first(ofFile:)) ?? firstAddress(ofIPv6: host == "::")
                ?? machineName
        default: host
        }
    }

    private static var machineName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return text(name)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns an address of this machine for other machines; `nil` if there is none. IPv4 comes first,
    /// because it is easier to type.
    private static func firstAddress(ofIPv6: Bool) -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        let entries = sequence(first: list) { $0?.pointee.ifa_next }.compactMap { $0?.pointee }
        let families = ofIPv6 ? [AF_INET, AF_INET6] : [AF_INET]
        return families.lazy.compactMap { family in entries.lazy.compactMap { text($0, family) }.first }.first
    }

    /// Formats an interface's address; `nil` if it has another family, is a loopback or link-local address,
    /// or belongs to an interface that is down.
    private static func text(_ entry: ifaddrs, _ family: Int32) -> String? {
        let flags = Int32(bitPattern: entry.ifa_flags)
        guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == family,
            flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0
        else { return nil }
        let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var characters = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                address, socklen_t(size), &characters, socklen_t(characters.count), nil, 0, NI_NUMERICHOST)
                == 0
        else { return nil }
        let name = text(characters)
        return name.contains("%") || name.hasPrefix("169.254.") ? nil : name
    }
}
