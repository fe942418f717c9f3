/// The origins of web pages whose scripts may talk to the server (RFC 6454; WHATWG Fetch, "CORS protocol").
package struct AllowedOrigins: Sendable, Hashable {
    /// An error for a text that is no origin.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        /// One line that says what was expected and what arrived.
        package let description: String
    }

    private var origins: Set<String> = []
    private var isForAll = false

    /// Allows no page.
    package init() {}

    /// Allows the named pages.
    ///
    /// - Parameter texts: `scheme://host` or `scheme://host:port`, as browsers write them; `*` alone for
    ///   every page.
    ///
    /// - Throws: ``Problem`` if a text is no origin.
    package init(_ texts: [String]) throws(Problem) {
        guard texts != ["*"] else {
            isForAll = true
            return
        }
        for text in texts { origins.insert(try AllowedOrigins.origin(text)) }
    }

    /// The allowed origins as browsers write them, sorted. The list is empty if every page is allowed.
    package var named: [String] { origins.sorted() }

    /// True if no page may talk to the server.
    package var isEmpty: Bool { origins.isEmpty && !isForAll }

    /// Returns the value of `Access-Control-Allow-Origin` for a page; `nil` if the page may not talk to the
    /// server.
    func answer(to origin: String) -> String? {
        isForAll ? "*" : origins.contains(origin.lowercased()) ? origin : nil
    }

    /// Returns the origin in the form in which browsers write it.
    static func origin(_ text: String) throws(Problem) -> String {
        let text = text.lowercased()
        if text == "*" { throw Problem(description: "'*' means every page, and stands alone") }
        if text == "null" {
            throw Problem(
                description:
                    "'null' is the origin of any sandboxed page and file: name the page's own, or '*'")
        }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].utf8.first, (0x61...0x7A).contains(first),
            parts[0].utf8.allSatisfy(isSchemeByte), isAuthority(parts[1])
        else {
            throw Problem(
                description:
                    "expected scheme://host or scheme://host:port, without a path, came '\(text.prefix(80))'")
        }
        let standard = ["http": ":80", "https": ":443"][parts[0]]
        if let standard, parts[1].hasSuffix(standard) { return String(text.dropLast(standard.count)) }
        return text
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        var host = text
        if let bracket = text.lastIndex(of: "]") {
            host = text[...bracket]
            guard host.first == "[" else { return false }
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
        }
        let port = text[host.endIndex...]
        guard port.isEmpty || (port.first == ":" && UInt16(port.dropFirst()) != nil) else { return false }
        let allowed = host.first == "[" ? "0123456789abcdef:[]." : "abcdefghijklmnopqrstuvwxyz0123456789-._"
        return !host.isEmpty && host.allSatisfy(allowed.contains) && (host.first == "[") == (host.last == "]")
    }
}
