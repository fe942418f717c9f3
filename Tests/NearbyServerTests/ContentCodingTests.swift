import Testing

@testable import NearbyServer

/// Tests of `Accept-Encoding` and `If-None-Match` with any contents.
@Suite struct ContentCodingTests {
    @Test(
        arguments: [
            ([], "identity"), ([""], "identity"), (["br"], "br"), (["BR"], "br"), (["gzip, br"], "br"),
            (["gzip", "br"], "br"), (["x-gzip"], "gzip"), (["gzip;q=1, br;q=0.999"], "gzip"),
            (["br ; q=0.1 , gzip;q=0"], "br"), (["br;q=0, gzip;q=0"], "identity"), (["*;q=0"], "identity"),
            (["identity;q=0, gzip;q=0.001"], "gzip"), (["identity, br;q=0.5"], "identity"),
            (["deflate, zstd"], "identity"), (["br;q=nan"], "identity"), (["br;q=2"], "identity"),
            (["br;q="], "identity"), (["br;level=9;q=0.3"], "br"), ([";;q=1,,;"], "identity"),
        ] as [([String], String)])
    func theBestThatThereIs(accepted: [String], coding: String) {
        #expect(ContentCoding.preferred(accepted, among: [.brotli, .gzip]).rawValue == coding)
    }

    @Test func whatIsNotThereIsNotTaken() {
        #expect(ContentCoding.preferred(["br, gzip"], among: []) == .identity)
        #expect(ContentCoding.preferred(["br, gzip"], among: [.gzip]) == .gzip)
    }

    @Test(
        arguments: [
            (["\"a\""], true), (["W/\"a\""], true), (["\"b\", \"a\""], true), (["\"b\"", "\"a\""], true),
            (["*"], true), ([" ,\t*"], true), (["\"b,\" ,,\"a\""], true), ([], false), ([""], false),
            (["a"], false), (["\"a"], false), (["w/\"a\""], false), (["\"b\" a"], false), (["\"\""], false),
            (["\"a\"\"b"], true),
        ] as [([String], Bool)])
    func knownVersions(fields: [String], isKnown: Bool) {
        #expect(EntityTags.contain("\"a\"", in: fields) == isKnown)
    }

    @Test(arguments: [
        ("http://localhost:8480", "localhost:8480", false, true),
        ("https://localhost:8480", "localhost:8480", false, true),
        ("https://localhost:8480", "localhost:8480", true, true),
        ("http://localhost:8480", "localhost:8480", true, false),
        ("https://nearby.example", "nearby.example:443", true, true),
        ("https://nearby.example", "Nearby.Example", false, true),
        ("http://nearby.example", "nearby.example:80", false, true),
        ("http://[::1]:8480", "[::1]:8480", false, true), ("null", "null", false, false),
        ("http://evil.example", "localhost:8480", false, false),
        ("http://localhost", "localhost:8480", false, false),
        ("http://localhost:8480/", "localhost:8480", false, false),
        ("ftp://localhost:8480", "localhost:8480", false, false), ("http://", "", false, false),
        ("http://a@b", "a@b", false, false), ("", "", false, false),
    ])
    func theServersOwnPage(origin: String, host: String, isSecure: Bool, isOwn: Bool) {
        let own = OwnOrigin(isSecure: isSecure, named: AllowedOrigins())
        #expect(own.isOwn(origin, host: host) == isOwn)
        #expect(!own.isOwn(origin, host: nil))
    }

    @Test func aPageBehindAProxy() throws {
        let own = OwnOrigin(isSecure: false, named: try AllowedOrigins(["https://Nearby.example:443"]))
        #expect(own.isOwn("https://nearby.example", host: "127.0.0.1:8480"))
        #expect(!own.isOwn("https://other.example", host: "127.0.0.1:8480"))
    }
}
