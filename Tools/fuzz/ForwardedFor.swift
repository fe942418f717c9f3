/// The header `X-Forwarded-For`, and a peer's address before the first line break: whoever is found asks for
/// itself, or came with it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzForwardedFor(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let proxies = try? TrustedProxies(["10.0.0.0/8", "2001:db8::/32"]) else { fatalError("two ranges") }
    _ = try? TrustedProxies([lines[0]])
    for peer in [lines[0], "10.0.0.1"] {
        guard let address = IPAddress(peer) else { continue }
        precondition(IPAddress(address.description) == address, "its own spelling is read")
        precondition(address.site.network == address.network)
        let client = proxies.client(forwardedFor: Array(lines.dropFirst()), peer: address)
        precondition(client == address || !proxies.contains(client))
        precondition(proxies.contains(address) || client == address, "nobody else is believed")
    }
    return 0
}
