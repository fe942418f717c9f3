import AsyncHTTPClient
import Foundation
import NIOCore
import Testing

@testable import NearbyServer

/// Tests of `nearby serve` with TLS, with openssl as the client.
@Suite(.timeLimit(.minutes(2))) struct TLSTests {
    private let folder = TemporaryFolder()

    private func serve(_ certificate: String, _ key: String) throws -> Served {
        try Served(
            data: folder.path + "/data",
            more: ["--certificate", certificate, "--private-key", key, "--log-level", "notice"])
    }

    private func connect(to server: Served, _ more: [String] = []) throws -> String {
        try Certificate.openssl(["s_client", "-connect", server.authority] + more).output
    }

    @Test(arguments: ["rsa:2048", "ec"]) func oldCiphersAreRefused(algorithm: String) async throws {
        let own = try Certificate("own", in: folder.path, algorithm: algorithm)
        let server = try serve(own.certificatePath, own.keyPath)
        let kind = algorithm == "ec" ? "ECDHE-ECDSA" : "ECDHE-RSA"
        for name in ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"] {
            let said = try connect(to: server, ["-tls1_2", "-cipher", "\(kind)-\(name)"])
            #expect(said.contains("Cipher is \(kind)-\(name)"), "\(said)")
        }
        for cipher in [
            "\(kind)-AES128-SHA", "\(kind)-AES256-SHA", "\(kind)-AES128-SHA256", "AES128-GCM-SHA256",
            "AES256-SHA", "AES128-SHA",
        ] {
            let said = try connect(to: server, ["-tls1_2", "-cipher", "\(cipher):@SECLEVEL=0"])
            #expect(said.contains("Cipher is (NONE)"), "\(cipher): \(said)")
        }
        #expect(try connect(to: server, ["-tls1_3"]).contains("New, TLSv1.3"))
        for version in ["-tls1", "-tls1_1"] {
            let said = try connect(to: server, [version, "-cipher", "ALL:@SECLEVEL=0"])
            #expect(said.contains("Cipher is (NONE)"), "\(version): \(said)")
        }
        // Each attempt was a handshake, whatever came of it.
        let line = try #require(server.words.split(separator: "\n").first { $0.contains("status at ") })
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(line.split(separator: " ").last!)/metrics"), timeout: .seconds(10))
        let metrics = String(buffer: try await response.body.collect(upTo: 1 << 20))
        #expect(metrics.contains("nearby_tls_handshakes_total 12\n"))
        server.end(SIGTERM)
    }

    /// Like certbot, the test changes the files and sends SIGHUP. Files that cannot be used change nothing.
    @Test func certificatesAreRenewed() throws {
        let (first, second) = (
            try Certificate("first", in: folder.path), try Certificate("second", in: folder.path)
        )
        let (certificate, key) = (folder.path + "/live.pem", folder.path + "/live.key")
        func install(_ chain: String, _ its: String) throws {
            try Data(contentsOf: URL(fileURLWithPath: chain)).write(to: URL(fileURLWithPath: certificate))
            try Data(contentsOf: URL(fileURLWithPath: its)).write(to: URL(fileURLWithPath: key))
        }
        try install(first.certificatePath, first.keyPath)
        try #require(chmod(key, 0o640) == 0)
        let server = try serve(certificate, key)
        #expect(!server.words.contains("other users"))
        #expect(try connect(to: server).contains("CN = first") || connect(to: server).contains("CN=first"))

        for (break_, why) in [
            ({ try install(second.certificatePath, first.keyPath) }, "private key \(key): not the key of"),
            (
                { try Data("x".utf8).write(to: URL(fileURLWithPath: key)) },
                "private key \(key): no unencrypted"
            ),
            (
                { try FileManager.default.removeItem(atPath: certificate) },
                "certificate \(certificate): No such"
            ),
        ] as [(() throws -> Void, String)] {
            try break_()
            kill(server.process.processIdentifier, SIGHUP)
            #expect(server.wait(for: why), "\(server.words)")
            let said = try connect(to: server)
            #expect(said.contains("CN = first") || said.contains("CN=first"), "\(said)")
        }

        try install(second.certificatePath, second.keyPath)
        try #require(chmod(key, 0o644) == 0)
        kill(server.process.processIdentifier, SIGHUP)
        #expect(server.wait(for: "new connections use the certificate"), "\(server.words)")
        #expect(server.wait(for: "other users of this machine may use the private key: chmod o= \(key)"))
        let said = try connect(to: server)
        #expect(said.contains("CN = second") || said.contains("CN=second"), "\(said)")
        server.end(SIGTERM)
        #expect(server.process.terminationStatus == 0)
    }

    /// The page's address has the name that the certificate is for.
    @Test(
        arguments: [
            ("DNS:box.example,DNS:other.example", "box.example"),
            ("IP:192.0.2.7,DNS:box.example", "box.example"),
            ("DNS:*.example,DNS:localhost,DNS:Box.Example", "Box.Example"), ("DNS:*.example", nil),
            ("IP:192.0.2.7", nil), (nil, nil),
        ] as [(String?, String?)])
    func theNameThatACertificateIsFor(alternatives: String?, name: String?) throws {
        let path = folder.path + "/named.pem"
        let (status, output) = try Certificate.openssl(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-subj",
                "/CN=common.example", "-keyout", folder.path + "/named.key", "-out", path,
            ] + (alternatives.map { ["-addext", "subjectAltName=" + $0] } ?? []))
        try #require(status == 0, "\(output)")
        #expect(CertificateName.first(ofFile: path) == name)
        #expect(CertificateName.first(ofFile: folder.path + "/none.pem") == nil)
    }

    @Test func withoutTLSThereIsNothingToReload() throws {
        let server = try Served(data: folder.path + "/data", more: ["--log-level", "notice"])
        kill(server.process.processIdentifier, SIGHUP)
        #expect(server.wait(for: "SIGHUP: nothing to reload"), "\(server.words)")
        server.end(SIGTERM)
        #expect(server.process.terminationStatus == 0)
    }
}
