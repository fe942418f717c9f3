import FoundationEssentials

/// A server's address as people write it: `https://nearby.example.com`, optionally with a port and a path.
/// The path precedes the protocol's own paths.
struct ServerAddress: Sendable, Hashable {
    /// The prefix of every request's URL, without a slash at its end.
    let text: String

    /// Throws: the fault of the address, in words that continue "expected http:// or https:// …".
    init(_ given: String) throws(NearbyClient.InvalidServer) {
        func refuse(_ reason: String) -> NearbyClient.InvalidServer {
            NearbyClient.InvalidServer(server: given, reason: reason)
        }
        guard !given.isEmpty else { throw refuse("it is empty") }
        guard let colon = given.firstRange(of: "://") else { throw refuse("http:// or https:// is missing") }
        let scheme = given[..<colon.lowerBound].lowercased()
        guard ["http", "https"].contains(scheme) else {
            throw refuse("'\(scheme)' is neither http nor https")
        }
        guard given.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw refuse("there is a blank or a letter beyond ASCII in it")
        }
        let rest = given[colon.upperBound...]
        guard !rest.contains("@") else {
            throw refuse("there is a user or a password in it; the API key is given apart")
        }
        guard !rest.contains(where: { "?#".contains($0) }) else {
            throw refuse("there is a '?' or '#' in it")
        }
        let authority = rest.prefix { $0 != "/" }
        if let reason = ServerAddress.problem(ofAuthority: authority) { throw refuse(reason) }
        var path = rest.dropFirst(authority.count)
        while path.last == "/" { path = path.dropLast() }
        text = "\(scheme)://\(authority)\(path)"
        guard URL(string: text)?.host?.isEmpty == false else { throw refuse("it is no URL") }
    }

    /// Returns the fault of a name or a port; `nil` if there is none.
    private static func problem(ofAuthority text: Substring) -> String? {
        let isLiteral = text.first == "["
        guard !isLiteral || text.contains("]") else { return "']' is missing after the IPv6 address" }
        let host = isLiteral ? text[...text.firstIndex(of: "]")!] : text.prefix { $0 != ":" }
        guard host.count > (isLiteral ? 2 : 0) else { return "the server's name is missing" }
        let port = text.dropFirst(host.count)
        if port.isEmpty { return nil }
        guard port.first == ":" else { return "after ']' there is neither ':' nor '/'" }
        let digits = port.dropFirst()
        if !isLiteral, digits.contains(":") { return "an IPv6 address stands in brackets: [::1]" }
        let isNumber = digits.allSatisfy { $0.isASCII && $0.isNumber }
        guard isNumber, let number = Int(digits), (1...65535).contains(number) else {
            return "a port is 1 to 65535, not '\(digits)'"
        }
        return nil
    }
}
