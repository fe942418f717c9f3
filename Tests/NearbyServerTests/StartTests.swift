import Foundation
import Glibc
import Testing

/// Tests of `nearby serve` that cannot start: it prints one line, and makes nothing.
@Suite(.timeLimit(.minutes(1))) struct StartTests {
    private let folder = TemporaryFolder()

    private func serve(_ arguments: [String], _ status: Int32, _ words: String) throws {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = Bundle.main.executableURL!.resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "nearby")
        let data = arguments.contains("--data") ? [] : ["--data", folder.path + "/data"]
        process.arguments = ["serve", "--log-level", "error"] + data + arguments
        (process.standardOutput, process.standardError) = (output, errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == status && line.contains(words), "\(arguments): \(line)")
        #expect(line.split(separator: "\n").count == 1, "\(line)")
        #expect(printed.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }

    @Test func certificatesThatCannotBeUsed() throws {
        let path = folder.path
        let (own, other) = (try Certificate("own", in: path), try Certificate("other", in: path))
        let (certificate, key) = (own.certificatePath, own.keyPath)
        func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            return "\(path)/\(name)"
        }
        let empty = try write("empty", "")
        let cut = try write(
            "cut", String(try String(contentsOfFile: certificate, encoding: .utf8).prefix(200)))
        let encrypted = path + "/encrypted"
        let made = try Certificate.openssl([
            "pkey", "-in", key, "-aes256", "-passout", "pass:x", "-out", encrypted,
        ])
        try #require(made.status == 0, "\(made.output)")
        for (chain, key, words) in [
            (path + "/none", key, "certificate \(path)/none: No such file"),
            (certificate, path + "/none", "private key \(path)/none: No such file"),
            (
                key, certificate,
                "certificate \(key): a private key: --certificate and --private-key are swapped"
            ),
            (certificate, certificate, "private key \(certificate): a certificate: --certificate and"),
            (
                certificate, other.keyPath,
                "private key \(other.keyPath): not the key of the first certificate in"
            ),
            (certificate, encrypted, "private key \(encrypted): encrypted"),
            (empty, key, "certificate \(empty): no PEM certificate in it: it is empty"),
            (certificate, empty, "private key \(empty): no unencrypted PEM key in it: it is empty"),
            (cut, key, "certificate \(cut): a certificate in it is cut off"),
            (path, key, "certificate \(path): Is a directory"),
        ] {
            try serve(["--port", "0", "--certificate", chain, "--private-key", key], 66, words)
        }
    }

    @Test func portsAndAddressesThatCannotBeHad() throws {
        let server = try Served(data: folder.path + "/other")
        let port = try #require(server.url.split(separator: ":").last.map(String.init))
        try serve(
            ["--port", port], 69, "127.0.0.1:\(port): another program listens there: choose another --port")
        try serve(
            ["--port", "0", "--status-port", port], 69,
            "127.0.0.1:\(port): another program listens there: choose another --status-port")
        // This address belongs to no machine (RFC 5737).
        try serve(["--port", "0", "--host", "192.0.2.1"], 69, "192.0.2.1:0: no address of this machine")
        // This name belongs to no machine either (RFC 6761).
        try serve(
            ["--port", "0", "--host", "no.invalid"], 69, "no.invalid:0: no such name: choose another --host")
        server.end(SIGTERM)
    }

    @Test func databasesThatCannotBeUsed() throws {
        let server = try Served(data: folder.path + "/used")
        try serve(
            ["--port", "0", "--data", folder.path + "/used"], 69, "is served by another process: end it first"
        )
        server.end(SIGTERM)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/text", withIntermediateDirectories: true)
        try Data(repeating: 0x61, count: 5000).write(
            to: URL(fileURLWithPath: folder.path + "/text/nearby.sqlite"))
        try serve(
            ["--port", "0", "--data", folder.path + "/text"], 73, "nearby.sqlite: file is not a database")
        try serve(
            ["--port", "0", "--data", "/proc/none"], 73,
            "--data /proc/none: is not a folder, and cannot be created")
    }
}
