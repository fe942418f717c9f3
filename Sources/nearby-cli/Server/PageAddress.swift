import Glibc
import NearbyServer
import NearbyService

/// Where people find a server's web page.
struct PageAddress {
    /// For a browser.
    let url: String
    /// Why phones could not use all of it there; nil: they can.
    let warning: String?

    /// - Parameters:
    ///   - host: as the server listens.
    ///   - isSecure: whether the server encrypts.
    ///   - named: where people find it instead, as they were told; nil: there.
    init(host: String, port: Int, isSecure: Bool, named: String?) {
        let scheme = isSecure ? "https" : "http"
        let shown = PageAddress.shown(host)
        let standard = isSecure ? 443 : 80
        var authority = NearbyServer.authority(shown, port: port)
        if port == standard { authority.removeLast(":\(port)".utf8.count) }
        url = named ?? "\(scheme)://\(authority)"
        // Browsers give a microphone to pages that came encrypted, or from their own machine.
        let isLocal = named == nil && (["localhost", "::1"].contains(host) || host.hasPrefix("127."))
        warning =
            url.lowercased().hasPrefix("https:") || isLocal
            ? nil
            : "phones give their microphone to https alone: --certificate and --private-key, or a proxy before this server and "
                + "--web-address"
    }

    /// A name or address that a browser can ask for.
    private static func shown(_ host: String) -> String {
        switch host {
        case "127.0.0.1": "localhost"
        case "0.0.0.0", "::": firstAddress(ofIPv6: host == "::") ?? machineName
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

    /// Of this machine, for others; nil: it has none. IPv4 is what people can type.
    private static func firstAddress(ofIPv6: Bool) -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        let entries = sequence(first: list) { $0?.pointee.ifa_next }.compactMap { $0?.pointee }
        let families = ofIPv6 ? [AF_INET, AF_INET6] : [AF_INET]
        return families.lazy.compactMap { family in entries.lazy.compactMap { text($0, family) }.first }.first
    }

    /// Nil for one of another family, one that only this machine or one wire knows, and one of an interface that is off.
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
