import Foundation
import HummingbirdTLS
import Nearby
import NearbyClient
import NearbyTestSupport
import NearbyWire
import TestSupport
import Testing

/// Tests of a server with a self-signed certificate.
@Suite(.timeLimit(.minutes(1))) struct TLSTests {
    private func makeServer() async throws -> ScriptedServer {
        try await ScriptedServer(
            scheme: "https",
            server: .tls(
                .http1(),
                tlsConfiguration: .makeServerConfiguration(
                    certificateChain: [
                        .certificate(.init(bytes: Array(Self.certificate.utf8), format: .pem))
                    ],
                    privateKey: .privateKey(.init(bytes: Array(Self.key.utf8), format: .pem))))
        ) { request in
            request.path == "/v1/devices" ? .secret("s") : .answer(WireAnswer(Answer(), mailbox: "m"))
        }
    }

    @Test func isTrustedByItsFile() async throws {
        let server = try await makeServer()
        let folder = TemporaryDirectory()
        let path = folder.file("roots.pem")
        try Data(Self.certificate.utf8).write(to: URL(filePath: path))
        var settings = NearbyClientSettings.polling
        settings.trustRoots = path
        let client = try NearbyClient(server: server.url, apiKey: "key", settings: settings)
        #expect(try await client.report(.complete) == Answer())
        await client.shutdown()
        await server.stop()
    }

    @Test(arguments: [
        (nil, "its certificate is not trusted: --trust (server.trust, trustRoots) names a file of others"),
        ("/nowhere/roots.pem", "the file of trusted certificates cannot be read"),
        ("/dev/null", "the file of trusted certificates has none"),
    ])
    func isNotTrustedWithoutIt(roots: String?, words: String) async throws {
        let server = try await makeServer()
        var settings = NearbyClientSettings.polling
        settings.trustRoots = roots
        let client = try NearbyClient(server: server.url, apiKey: "key", settings: settings)
        await #expect(throws: RegistryError.unreachable(words)) { try await client.report(.complete) }
        await client.shutdown()
        await server.stop()
    }

    /// The server at that port speaks another protocol.
    @Test func isNotTakenForOneWithoutTLS() async throws {
        let server = try await ScriptedServer { _ in .refusal(500) }
        let client = try NearbyClient(server: "https://127.0.0.1:\(server.port)", apiKey: "key")
        await #expect(
            throws: RegistryError.unreachable("it does not speak TLS: http:// instead of https://?")
        ) {
            try await client.report(.complete)
        }
    }

    /// The certificate is for 127.0.0.1, until 2120; its key is no secret.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBYTCCAQagAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtuZWFyYnkg
        dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
        AwwLbmVhcmJ5IHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR3XCe5R9I9
        MHUeWICURQSihSOwAo0cix9abf+n8f7XvzyKx64y/qp/aAP4QQ3dnmiIrZk/PgdF
        Fw/FipfA3n2Io0MwQTAPBgNVHREECDAGhwR/AAABMA8GA1UdEwEB/wQFMAMBAf8w
        HQYDVR0OBBYEFClGYSOpc74xHLUfE4KcBsgsDj8pMAoGCCqGSM49BAMCA0kAMEYC
        IQDvTXhkao+qMmMIxcYpPYEVi93V+abSYgPffdYtA66M3gIhAN52JV3f0+H/2mnX
        WU1eN52AVZnF9OZlqhfGw6YFo1ES
        -----END CERTIFICATE-----
        """
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6occ5qJ4pbEQk651
        9ndvwsaB6QMS88xvah34WRquq7qhRANCAAR3XCe5R9I9MHUeWICURQSihSOwAo0c
        ix9abf+n8f7XvzyKx64y/qp/aAP4QQ3dnmiIrZk/PgdFFw/FipfA3n2I
        -----END PRIVATE KEY-----
        """
}
