import Foundation
import NearbyClient
import NearbyTestSupport
import TestSupport
import Testing

/// Tests that a client checks its settings before it asks a server: the address, and the file of certificates
/// that it trusts.
@Suite struct AddressTests {
    @Test(arguments: [
        ("", "it is empty"), ("nearby.example.com", "is missing"), ("http://", "name is missing"),
        ("ftp://x", "neither http nor https"), ("https:///x", "name is missing"), ("http://a b", "blank"),
        ("https://u:p@x", "user or a password"), ("https://x?a", "'?'"), ("https://x#a", "'#'"),
        ("http://x:", "1 to 65535"), ("http://x:0", "1 to 65535"), ("http://x:65536", "1 to 65535"),
        ("http://x:-1", "1 to 65535"), ("http://x:y", "1 to 65535"), ("http://[::1", "']'"),
        ("http://[::1]8480", "neither ':'"), ("http://fe80::1", "brackets"),
        ("http://[]:1", "name is missing"),
        ("http://höhle", "ASCII"), ("http:/x", "is missing"), ("http://x\n", "blank"),
    ])
    func whatIsNoServer(text: String, words: String) throws {
        let error = try #require(throws: NearbyClient.InvalidServer.self) {
            try NearbyClient(server: text, apiKey: "")
        }
        #expect(error.server == text && error.reason.contains(words), "\(error)")
        #expect("\(error)".hasPrefix("expected http:// or https://") && !"\(error)".contains("InvalidServer"))
    }

    @Test(arguments: [
        "http://x", "HTTPS://x", "http://x:1", "http://x:65535/", "https://x/behind/a/proxy/",
        "http://127.0.0.1:8480",
        "http://[::1]:8480", "http://[::1]", "http://x-y.z_1",
    ])
    func whatIsAServer(text: String) async throws {
        let client = try NearbyClient(server: text, apiKey: "k")
        await client.shutdown()
    }

    @Test func trustedCertificates() throws {
        let folder = TemporaryDirectory()
        func problem(_ path: String?) -> InvalidTrustRoots? {
            var settings = NearbyClientSettings()
            settings.trustRoots = path
            do throws(InvalidTrustRoots) { try settings.checkTrustRoots() } catch { return error }
            return nil
        }
        #expect(problem(nil) == nil)
        #expect(problem(folder.file("missing.pem"))?.kind == .notThere)
        #expect(problem(folder.path)?.kind == .noCertificates)
        #expect(problem("/dev/null")?.kind == .noCertificates)
        let noise = folder.write(Array("-----BEGIN CERTIFICATE-----\nnonsense\n".utf8), to: "noise.pem")
        #expect(problem(noise)?.kind == .noCertificates)
        let good = folder.write(Array(TLSTests.certificate.utf8), to: "good.pem")
        #expect(problem(good) == nil)
    }
}
