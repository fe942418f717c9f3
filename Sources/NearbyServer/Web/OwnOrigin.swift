/// Tells this server's own page from all others: a browser names in `Origin` where a page is from, and in `Host` whom it asks.
///
/// A page that had its name resolve to this server's address would be taken for the server's own. It learns nothing that way that this
/// server's page does not tell everybody.
struct OwnOrigin: Sendable {
    /// The server itself encrypts. Otherwise a proxy before it may.
    let isSecure: Bool
    /// Where the page is as well, whatever `Host` says.
    let named: AllowedOrigins

    /// - Parameters:
    ///   - origin: in lower case.
    ///   - host: as the request has it; nil: it has none.
    func isOwn(_ origin: String, host: String?) -> Bool {
        if named.named.contains(origin) { return true }
        guard let host, let end = origin.firstRange(of: "://")?.lowerBound else { return false }
        let scheme = origin[..<end]
        guard scheme == "https" || scheme == "http" && !isSecure else { return false }
        // What is no host is nobody's page.
        do { return try AllowedOrigins.origin("\(scheme)://\(host)") == origin } catch { return false }
    }
}
