import Foundation
import HummingbirdTLS
import Nearby
import NearbyClient
import NearbyTestSupport
import NearbyWire
import TestSupport
import Testing

/// A server with a certificate that nobody has signed but itself.
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

    @Test(arguments: [nil, "/nowhere/roots.pem"])
    func isNotTrustedWithoutIt(roots: String?) async throws {
        let server = try await makeServer()
        var settings = NearbyClientSettings.polling
        settings.trustRoots = roots
        let client = try NearbyClient(server: server.url, apiKey: "key", settings: settings)
        do {
            _ = try await client.report(.complete)
            Issue.record("trusted")
        } catch {
            guard case .unreachable(let line) = error else { throw error }
            #expect(!line.contains("\n"))
        }
        await client.shutdown()
        await server.stop()
    }

    /// For 127.0.0.1, until 2120; the key to it is no secret.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBXDCCAQKgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPn4l9JNO3g4MxKY
        VN90D91kJVAUYJoFEb5yykk9tni5b6JGxCECA4o5//MLUFCTQ/DJkzDpzTLd37/G
        sBGGv36jQzBBMA8GA1UdEQQIMAaHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAdBgNV
        HQ4EFgQUCr1VmX7i8uAJpUwI7SSyQ2f5g2QwCgYIKoZIzj0EAwIDSAAwRQIhAOp0
        oeYdAyjaMpeYeZj8MkzLxIGfd3al+F7AOF9sRiJiAiAv41Oz8lhn9cI0JRrO7hot
        1ZTWqmjVnqk6v+ikH4Gidg==
        -----END CERTIFICATE-----
        """
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQ7DXwRus5UIOAf04
        mCh/obH2pNTzlv3tZQqiUb6vaIahRANCAAT5+JfSTTt4ODMSmFTfdA/dZCVQFGCa
        BRG+cspJPbZ4uW+iRsQhAgOKOf/zC1BQk0PwyZMw6c0y3d+/xrARhr9+
        -----END PRIVATE KEY-----
        """
}
