import Foundation
import TestSupport
import Testing

/// Tests of `nearby serve`, `publish`, `subscribe`, `keys` and `projects`, as people run them.
@Suite struct ServerCommandTests {
    private let folder = TemporaryDirectory()

    private func start(_ arguments: String...) -> RunningCommand {
        RunningCommand(arguments, of: Command.nearby)
    }

    private func run(_ arguments: String...) -> Command.Outcome { Command.nearby.run(arguments) }

    /// Starts a server on any port. Returns it, its address, and the key that it printed.
    private func serve() throws -> (server: RunningCommand, address: String, key: String) {
        let server = start("serve", "--data", folder.file("data"), "--port", "0", "--log-level", "error")
        #expect(server.waitForWords("listening on ", seconds: 30) && server.waitForLines(1, seconds: 30))
        let address = try #require(server.errors.split(separator: " ").last).trimmed
        return (server, address, String(try #require(server.lines.first)))
    }

    /// Two shells exchange one message in one room: a pipe is the air, and the sound in it is real.
    @Test func twoShellsOneRoomOneMessage() throws {
        let (server, address, key) = try serve()
        let air = folder.file("air.wav")
        #expect(mkfifo(air, 0o600) == 0)
        let publisher = start(
            "publish", "in the hall", "--type", "place", "--server", address, "--key", key,
            "--only-broadcast", "--playback", air)
        let found = start(
            "subscribe", "--type", "place", "--server", address, "--key", key, "--only-scan", "--capture",
            air,
            "--count", "1", "--seconds", "60", "--json"
        ).finish(withinSeconds: 90)
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.lines.count == 1)
        #expect(found.text.contains("\"event\":\"found\"") && found.text.contains("\"text\":\"in the hall\""))
        publisher.interrupt()
        #expect(publisher.finish().status == 0, "\(publisher.errors)")
        server.interrupt()
        #expect(server.finish().status == 0, "\(server.errors)")
    }

    /// A key that could not be shown to anybody opens nothing, and the message says how to make another one.
    @Test(arguments: ["project", "key"]) func aKeyThatNobodyHas(made: String) {
        let data = folder.file("data-\(made)")
        if made == "key" { #expect(run("projects", "create", "shop", "--data", data).status == 0) }
        let making =
            made == "key" ? ["keys", "create", "--project", "shop"] : ["projects", "create", "shop"]
        let lost = Command.nearby.run(making + ["--data", data], output: "/dev/full")
        #expect(
            lost.status == 74 && lost.errors.contains("'nearby keys create --project shop'"), "\(lost.errors)"
        )
        let keys = run("keys", "--project", "shop", "--data", data)
        #expect(keys.lines.last?.contains("revoked") == true, "\(keys.text)")
    }

    /// Each error is one line, with the exit code that goes with it.
    @Test func aServerThatRefusesOrIsNone() throws {
        let (server, address, _) = try serve()
        let refused = run(
            "publish", "x", "--server", address, "--key", "nbk_1_wrong", "--playback", "/dev/null",
            "--only-broadcast")
        #expect(refused.status == 77 && refused.errorLines.count == 1)
        #expect(refused.errors.contains("does not know this API key"), "\(refused.errors)")
        let second = run("serve", "--data", folder.file("data"), "--port", "0")
        #expect(second.status == 69 && second.output.isEmpty, "\(second.errors)")
        server.interrupt()
        #expect(server.finish().status == 0)
        for arguments in [
            ["publish", "x", "--key", "k", "--server", "nowhere"], ["publish", "x"],
            ["subscribe", "--key", "k", "--only-scan", "--only-broadcast"],
            ["subscribe", "--key", "k", "--count", "0"],
            ["serve", "--registrations-per-address", "1e-300"],
            ["serve", "--registrations-per-address", "1e308"],
            ["serve", "--registrations-per-address", "nan"],
            ["serve", "--address", "10.0.0.1:8480"], ["serve", "--address", "ftp://a"],
            ["serve", "--port", "65536"], ["serve", "--status-port", "-1"],
            ["serve", "--trust-proxy", "10.0.0.1/8"], ["serve", "--allow-origin", "null"],
            ["serve", "--allow-origin", "app.example"],
            ["serve", "--allow-origin", "https://a", "--allow-origin", "*"],
            ["serve", "--certificate", "a.pem"],
            ["serve", "--store", "mysql://h"],
            ["projects", "create", "two words"],
        ] {
            let outcome = Command.nearby.run(arguments)
            #expect(outcome.status == 64 && outcome.errorLines.count == 1, "\(arguments): \(outcome.errors)")
        }
    }

    /// Logs for collecting programs have one object a line.
    @Test func logsAreJSON() throws {
        let server = start(
            "serve", "--data", folder.file("data"), "--port", "0", "--log-format", "json", "--log-level",
            "debug")
        #expect(server.waitForWords("listening on", seconds: 30) && server.waitForLines(1, seconds: 30))
        server.interrupt()
        #expect(server.finish().status == 0)
        let lines = try server.errors.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
        let listening = try #require(lines.first { $0["message"] as? String == "listening on" })
        let metadata = try #require(listening["metadata"] as? [String: String])
        #expect(metadata["url"]?.hasPrefix("http://127.0.0.1:") == true)
        let serving = try #require(lines.first { $0["message"] as? String == "serving" })
        #expect(serving["level"] as? String == "info" && serving["logger"] as? String == "nearby")
        #expect((serving["metadata"] as? [String: String])?["name"] == "default")
        #expect(lines.allSatisfy { ($0["time"] as? String)?.hasSuffix("Z") == true })
    }

    /// The first key is in no journal: neither on standard output nor in the messages.
    @Test func theFirstKeyGoesToAFile() throws {
        let file = folder.file("first-key")
        let server = start("serve", "--data", folder.file("data"), "--port", "0", "--first-key-file", file)
        #expect(server.waitForWords("nearby: listening on", seconds: 30))
        let key = try String(contentsOfFile: file, encoding: .utf8)
        #expect(key.hasPrefix("nbk_1_") && key.hasSuffix("\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        server.interrupt()
        let ended = server.finish()
        #expect(ended.status == 0 && ended.output.isEmpty && !ended.errors.contains(key.dropLast(1)))
        // If the file exists already, nothing is lost, because there is no project yet.
        let refused = run("serve", "--data", folder.file("other"), "--port", "0", "--first-key-file", file)
        #expect(refused.status == 73 && refused.errorLines.count == 1, "\(refused.errors)")
        #expect(run("projects", "--data", folder.file("other")).output.isEmpty)
    }

    /// A requested status port must be available. If only the default one is not, there is a line.
    @Test func theStatusPort() throws {
        let server = start("serve", "--data", folder.file("data"), "--host", "::1", "--port", "0")
        #expect(server.waitForWords("listening on", seconds: 30))
        let lines = server.errors.split(separator: "\n")
        let status = try #require(lines.first { $0.contains("status at http://127.0.0.1:") })
        #expect(lines.contains { $0.contains("listening on http://[::1]:") })
        let port = try #require(status.split(separator: ":").last)
        let refused = run(
            "serve", "--data", folder.file("other"), "--port", "0", "--status-port", String(port),
            "--log-level", "error")
        #expect(refused.status == 69 && refused.errors.contains("127.0.0.1:\(port): "), "\(refused.errors)")
        server.interrupt()
        #expect(server.finish().status == 0)
    }

    @Test func keysOfProjects() {
        let data = folder.file("data")
        let first = run("projects", "create", "shop", "--data", data)
        #expect(first.status == 0 && first.text.hasPrefix("nbk_1_") && first.lines.count == 1)
        #expect(run("projects", "create", "shop", "--data", data).status == 64)
        let second = run("keys", "create", "--project", "shop", "--label", "kiosks", "--data", data)
        #expect(second.text.hasPrefix("nbk_1_") && second.text != first.text)
        #expect(run("keys", "create", "--project", "mall", "--data", data).status == 66)
        #expect(run("keys", "revoke", "2", "--data", data).status == 0)
        #expect(run("keys", "revoke", "2", "--data", data).status == 66)
        #expect(
            run("keys", "list", "--project", "shop", "--json", "--data", data).text == """
                {"id":1,"label":"first","isRevoked":false,"kind":"app"}
                {"id":2,"label":"kiosks","isRevoked":true,"kind":"app"}

                """)
        #expect(run("projects", "--json", "--data", data).text == "{\"id\":1,\"name\":\"shop\"}\n")
        #expect(run("projects", "--data", "/proc/none").status == 73)
    }
}

extension Substring {
    fileprivate var trimmed: String { String(self.prefix { !$0.isWhitespace }) }
}
