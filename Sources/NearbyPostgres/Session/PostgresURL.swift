/// The syntax check for URLs of PostgreSQL databases.
enum PostgresURL {
    static let example = "postgres://user@host:port/database"

    /// Returns the fault of a text as a URL; `nil` if there is none. The result repeats no part of the text.
    ///
    /// An `@`, `/`, `?` or `#` in a password shifts the parts of the URL. Then libpq takes a piece of the
    /// password for a port, a host or a database, and shows it in its errors. These characters must therefore
    /// be written as `%40`, `%2F`, `%3F` and `%23`.
    static func problem(_ text: String) -> String? {
        let schemes = ["postgres://", "postgresql://"]
        guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else {
            return "not the URL of a PostgreSQL database: \(example)"
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let signCount = rest.count { $0 == "@" }
        guard signCount <= 1, signCount == authority.count(where: { $0 == "@" }),
            !rest.contains(where: { $0 == "#" || $0.isWhitespace })
        else {
            return "a PostgreSQL URL's user, password and values have @ as %40, / as %2F, ? as %3F, # as %23"
        }
        let hosts = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard hosts.split(separator: ",").allSatisfy({ hasGoodPort($0) }) else {
            return "in a PostgreSQL URL, a port of 1 to 65535 comes after the host's ':': \(example)"
        }
        return nil
    }

    /// Checks the port in `host`, `host:port` and `[address]:port`.
    private static func hasGoodPort(_ host: Substring) -> Bool {
        let afterAddress = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host
        guard let colon = afterAddress.firstIndex(of: ":") else { return true }
        let port = afterAddress[afterAddress.index(after: colon)...]
        return port.isEmpty || Int(port).map { (1...65_535).contains($0) } ?? false
    }
}
