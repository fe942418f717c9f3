/// A rule that tells this server's own page from all others. A browser names the page's origin in `Origin`
/// and the server in `Host`.
///
/// A page whose name resolves to this server's address is taken for the server's own. It learns nothing in
/// this way that the server's page does not show everybody.
struct OwnOrigin: Sendable {
    /// True if the server itself encrypts. Otherwise a proxy before it may encrypt.
    let isSecure: Bool
    /// The further origins of the page, whatever `Host` says.
    let named: AllowedOrigins

    /// - Parameters:
    ///   - origin: The origin of the page in lower case.
    ///   - host: The host in the request; `nil` if it has none.
    func isOwn(_ origin: String, host: String?) -> Bool {
        if named.named.contains(origin) { return true }
        guard let host, let end = origin.firstRange(of: "://")?.lowerBound else { return false }
        let scheme = origin[..<end]
        guard scheme == "https" || scheme == "http" && !isSecure else { return false }
        // A text that is no host belongs to no page.
        do { return try AllowedOrigins.origin("\(scheme)://\(host)") == origin } catch { return false }
    }
}
