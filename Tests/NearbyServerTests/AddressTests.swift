import NearbyService
import Signal
import Testing

@testable import NearbyServer

/// Tests of clients' addresses, and of the bounds that several addresses share.
@Suite struct AddressTests {
    @Test func oneAddressHasManySpellings() throws {
        #expect(IPAddress("::ffff:192.0.2.7") == IPAddress("192.0.2.7"))
        #expect(IPAddress("2001:DB8:0::1") == IPAddress("2001:db8::1"))
        for text in [
            "", "1", "1.2.3", "1.2.3.4.5", "::g", "local", "1.2.3.4 ", String(repeating: "1", count: 99),
        ] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
        for text in ["192.0.2.7", "2001:db8:1:2:3:4:5:6", "0:0:0:0:0:0:0:1"] {
            #expect(IPAddress(text)?.description == text)
        }
    }

    @Test func sitesAndNetworks() throws {
        let a = try #require(IPAddress("2001:db8:1:2::1"))
        #expect(a.site == IPAddress("2001:db8:1:2:ffff::")?.site)
        #expect(a.site != IPAddress("2001:db8:1:3::1")?.site)
        #expect(a.network == IPAddress("2001:db8:1:3::1")?.network)
        #expect(a.network != IPAddress("2001:db8:2::1")?.network)
        let b = try #require(IPAddress("192.0.2.7"))
        #expect(b.site == b && b.network == IPAddress("192.0.2.200")?.network)
        #expect(b.network != IPAddress("192.0.3.7")?.network)
        // No IPv4 address is a neighbour of all of IPv6's mapped block.
        #expect(b.prefix(0) != IPAddress("::")?.prefix(0))
    }

    @Test(arguments: [
        // There is no header, or the address that sends it is not trusted.
        ("192.0.2.9", [], "192.0.2.9"), ("192.0.2.9", ["203.0.113.5"], "192.0.2.9"),
        ("10.1.2.3", [], "10.1.2.3"), ("10.1.2.3", ["203.0.113.5"], "203.0.113.5"),
        ("::ffff:10.1.2.3", ["203.0.113.5"], "203.0.113.5"), ("2001:db8::7", ["203.0.113.5"], "203.0.113.5"),
        // A client may claim any address; its claims stand to the left.
        ("10.1.2.3", ["127.0.0.1, 203.0.113.5"], "203.0.113.5"),
        ("10.1.2.3", ["1.1.1.1", "203.0.113.5"], "203.0.113.5"),
        ("10.1.2.3", ["nonsense, 203.0.113.5"], "203.0.113.5"),
        // These have a chain of proxies.
        ("10.1.2.3", ["203.0.113.5, 10.9.9.9"], "203.0.113.5"),
        ("10.1.2.3", ["203.0.113.5, 2001:db8::7"], "203.0.113.5"),
        ("10.1.2.3", ["10.9.9.9, 10.8.8.8"], "10.1.2.3"),
        // These are different spellings.
        ("10.1.2.3", ["203.0.113.5:4711"], "203.0.113.5"),
        ("10.1.2.3", ["[2001:db9::5]:4711"], "2001:db9::5"),
        ("10.1.2.3", ["[2001:db9::5]"], "2001:db9::5"), ("10.1.2.3", ["2001:db9::5"], "2001:db9::5"),
        ("10.1.2.3", ["::ffff:203.0.113.5"], "203.0.113.5"), ("10.1.2.3", [" \t203.0.113.5 "], "203.0.113.5"),
        // None of these is valid, so that the proxy's own address counts.
        ("10.1.2.3", [""], "10.1.2.3"), ("10.1.2.3", ["203.0.113.5,"], "10.1.2.3"),
        ("10.1.2.3", ["203.0.113.5, unknown"], "10.1.2.3"), ("10.1.2.3", ["[2001:db9::5"], "10.1.2.3"),
        ("10.1.2.3", ["[2001:db9::5]x"], "10.1.2.3"), ("10.1.2.3", ["203.0.113.5:x"], "10.1.2.3"),
        ("10.1.2.3", ["203.0.113.5:70000"], "10.1.2.3"), ("10.1.2.3", [":80"], "10.1.2.3"),
        ("10.1.2.3", [String(repeating: "10.0.0.1,", count: 5000) + "10.0.0.1"], "10.1.2.3"),
    ])
    func theClientBehindAProxy(peer: String, forwarded: [String], client: String) throws {
        let proxies = try TrustedProxies(["10.0.0.0/8", "2001:db8::7"])
        #expect(
            proxies.client(forwardedFor: forwarded, peer: try #require(IPAddress(peer))) == IPAddress(client))
    }

    @Test(arguments: ["", "x", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "/8"])
    func rangesThatAreNone(text: String) {
        #expect(throws: TrustedProxies.NotARange.self) { try TrustedProxies([text]) }
    }

    /// Compares the queue with an array.
    @Test(arguments: 1...20) func theOldestIsFound(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (queue, model) = (AgeQueue(), [Int]())
        for n in 0..<500 {
            if model.isEmpty || random.next() % 2 == 0 {
                queue.append(n)
                model.append(n)
            } else {
                let gone = model.remove(at: Int(random.next() % UInt64(model.count)))
                let wasThere = [queue.remove(gone), queue.remove(gone)]
                #expect(wasThere == [true, false])
            }
            #expect(queue.oldest == model.first && queue.count == model.count)
        }
    }
}
