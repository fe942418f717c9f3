/// Where a request comes from, as budgets count it.
struct ClientNetwork: Sendable, Hashable {
    /// One customer's line, one building: ``IPAddress/site``.
    let site: IPAddress
    /// Addresses that a provider gives out together: ``IPAddress/network``.
    let network: IPAddress

    /// - Parameter address: IPv4 or IPv6 in any spelling. Anything else, such as the name of a local socket, is one network of its own.
    init(_ address: String) {
        let address = IPAddress(address) ?? .none
        (site, network) = (address.site, address.network)
    }
}
