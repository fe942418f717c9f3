/// The reverse proxies that the server trusts when they state the address of their client.
package struct TrustedProxies: Sendable {
    private struct Range: Sendable {
        var prefix: IPAddress
        var length: Int

        func contains(_ address: IPAddress) -> Bool {
            address.isIPv4 == prefix.isIPv4 && address.prefix(length) == prefix
        }
    }

    /// An error that reports a text that is not an address or a range of addresses.
    package struct NotARange: Error, CustomStringConvertible {
        let text: String

        package var description: String {
            "\"\(text)\" is no address or range of addresses: as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32"
        }
    }

    private var ranges: [Range] = []

    /// Creates an empty set, so that no proxy is trusted.
    package init() {}

    /// - Parameter texts: addresses, such as `192.0.2.7`, and ranges of addresses, such as `10.0.0.0/8` or
    ///   `2001:db8::/32`.
    ///
    /// Throws: ``NotARange``.
    package init(_ texts: [String]) throws(NotARange) {
        for text in texts { ranges.append(try TrustedProxies.range(text)) }
    }

    private static func range(_ text: String) throws(NotARange) -> Range {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(parts[0]) else { throw NotARange(text: text) }
        let most = address.isIPv4 ? 32 : 128
        guard parts.count == 2 else { return Range(prefix: address, length: most) }
        guard let length = Int(parts[1]), (0...most).contains(length), address.prefix(length) == address
        else {
            throw NotARange(text: text)
        }
        return Range(prefix: address, length: length)
    }

    /// Returns true if a proxy at that address is trusted.
    package func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// Returns the address of the client that sent a request.
    ///
    /// A proxy appends the address that it sees to `X-Forwarded-For`; the entries before it are unverified.
    /// So the client is the rightmost entry that is not itself a trusted proxy.
    ///
    /// - Parameters:
    ///   - fields: the values of `X-Forwarded-For` in their order.
    ///   - peer: the address of the host that made the connection.
    ///
    /// Returns: `peer` if it is not a trusted proxy, or if the header yields no address.
    package func client(forwardedFor fields: [String], peer: IPAddress) -> IPAddress {
        guard contains(peer) else { return peer }
        let entries = fields.joined(separator: ",").split(
            separator: ",", omittingEmptySubsequences: false)
        for entry in entries.reversed().prefix(32) {
            guard let address = TrustedProxies.address(entry) else { return peer }
            if !contains(address) { return address }
        }
        return peer
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    private static func address(_ entry: Substring) -> IPAddress? {
        let text = entry.drop { $0 == " " || $0 == "\t" }.reversedDrop { $0 == " " || $0 == "\t" }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else {
                return nil
            }
            return IPAddress(text[text.index(after: text.startIndex)..<end])
        }
        if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = text.firstIndex(of: ":") {
            guard isPort(text[colon...]) else { return nil }
            return IPAddress(text[..<colon])
        }
        return IPAddress(text)
    }

    /// Returns true if the text is empty, or a colon and a port number.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || (text.first == ":" && UInt16(text.dropFirst()) != nil)
    }
}

extension Substring {
    fileprivate func reversedDrop(while predicate: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, predicate(last) { text.removeLast() }
        return text
    }
}
