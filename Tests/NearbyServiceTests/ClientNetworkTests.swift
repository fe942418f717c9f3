import Testing

@testable import NearbyService

/// Tests of addresses as sites and networks: the owner of one IPv6 address has a whole prefix of them.
@Suite struct ClientNetworkTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", true, true), ("192.0.2.7", "192.0.2.250", false, true),
        ("192.0.2.7", "192.0.3.7", false, false), ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true, true),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", false, true), ("2001:db8:1::1", "2001:db8:2::1", false, false),
        ("2001:DB8:0:0:0:0:0:1", "2001:db8::1", true, true), ("fe80::1%eth0", "fe80::1%eth1", true, true),
        // IPv4 within IPv6 is IPv4 in every spelling; any other prefix is not.
        ("::ffff:192.0.2.7", "192.0.2.7", true, true), ("::FFFF:c000:0207", "192.0.2.7", true, true),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8", false, true), ("::192.0.2.7", "192.0.2.7", false, false),
        ("local", "unix:/run/nearby", true, true), ("192.0.2.07", "local", true, true),
    ]) func addressesOfOneSite(one: String, other: String, isSite: Bool, isNetwork: Bool) {
        let (a, b) = (ClientNetwork(one), ClientNetwork(other))
        #expect((a.site == b.site) == isSite)
        #expect((a.network == b.network) == isNetwork)
    }
}
