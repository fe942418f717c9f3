import NIOHTTP1

/// The target of a request line in the canonical form that routes know (RFC 9112 §3.2, RFC 3986 §6.2.2).
///
///     http://host/v1/rep%6Frt/?x=1  →  /v1/report?x=1
enum RequestTarget {
    /// Returns an absolute path and perhaps a query, or `*` for the server as a whole. Returns `nil` if the
    /// text is no target of this method.
    ///
    /// Slashes that separate nothing are left out. Percent-encoded octets that are unreserved characters or
    /// colons are decoded. All others stay, an encoded slash among them, because decoding would change the
    /// path.
    static func canonical(_ target: String, _ method: HTTPMethod) -> String? {
        if isCanonical(target) { return target }
        if target == "*" { return method == .OPTIONS ? target : nil }
        guard let target = originForm(target[...]), !target.contains("#") else { return nil }
        let path = target.prefix { $0 != "?" }
        guard let decoded = decode(path.utf8) else { return nil }
        return "/" + decoded.split(separator: "/").joined(separator: "/") + target[path.endIndex...]
    }

    /// Returns true for a path in the canonical form, as most requests have it. Not all such paths are found.
    private static func isCanonical(_ target: String) -> Bool {
        var last: UInt8?
        for byte in target.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"): return false
            case UInt8(ascii: "/"): if last == byte { return false }
            default: if last == nil { return false }
            }
            last = byte
        }
        return last != nil && last != UInt8(ascii: "/")
    }

    /// Returns the target without scheme and server, which a proxy's form contains (RFC 9112 §3.2.2).
    private static func originForm(_ target: Substring) -> Substring? {
        if target.hasPrefix("/") { return target }
        let scheme = ["http://", "https://"].first { target.prefix($0.count).lowercased() == $0 }
        guard let scheme else { return nil }
        let rest = target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty else { return nil }
        return rest[authority.endIndex...].first == "/"
            ? rest[authority.endIndex...] : "/\(rest[authority.endIndex...])"
    }

    private static func decode(_ path: Substring.UTF8View) -> String? {
        var (bytes, rest) = ([UInt8](), path[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy(isHexDigit),
                let octet = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            rest = rest.dropFirst(2)
            bytes += isPlain(octet) ? [octet] : [byte] + digits
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
    }

    private static func isPlain(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:".utf8.contains(octet)
        }
    }
}
