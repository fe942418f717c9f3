/// The origin of a request, as the budgets count it.
package struct ClientNetwork: Sendable, Hashable {
    /// The address of one customer's line or of one building: ``IPAddress/site``.
    let site: IPAddress
    /// The range of addresses that a provider gives out together: ``IPAddress/network``.
    var network: IPAddress { site.network }

    /// - Parameter address: an IPv4 or IPv6 address in any spelling. All other texts, such as the name of a
    ///   local socket, count as one network of their own.
    package init(_ address: String) {
        site = (IPAddress(address) ?? .none).site
    }
}
