import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `nearby stb`, `nearby find` and the examples, as people run them: a pipe is the air, and the
/// sound in it is real.
@Suite struct StbCommandTests {
    private let folder = TemporaryDirectory()

    private func start(
        _ program: String, _ arguments: [String], environment: [String] = []
    ) -> RunningCommand {
        RunningCommand(
            arguments, of: Command(program: Command.path(of: program)), environment: environment)
    }

    private func run(_ arguments: String...) -> Command.Outcome { Command.nearby.run(arguments) }

    private func serve() throws -> (server: RunningCommand, address: String, key: String) {
        let server = start(
            "nearby", ["serve", "--data", folder.file("data"), "--port", "0", "--log-level", "error"])
        #expect(server.waitForWords("listening on ", seconds: 30) && server.waitForLines(1, seconds: 30))
        let address = try #require(server.errors.split(separator: " ").last).prefix { !$0.isWhitespace }
        return (server, String(address), String(try #require(server.lines.first)))
    }

    private func pipe(_ name: String) -> String {
        #expect(mkfifo(folder.file(name), 0o600) == 0)
        return folder.file(name)
    }

    private func text(_ name: String) -> String { String(decoding: folder.read(name) ?? [], as: UTF8.self) }

    private func wait(_ seconds: Double, _ isDone: () -> Bool) -> Bool {
        for _ in 0..<Int(seconds * 50) {
            if isDone() { return true }
            usleep(20_000)
        }
        return isDone()
    }

    /// A box runs as a service, and an app finds it by scanning and publishes to it. The program is started
    /// once, and a reader of the socket reads the message. A bad configuration is refused and a good one
    /// accepted. The manager is notified of all this.
    @Test func aBoxAndAnApp() throws {
        let (server, address, key) = try serve()
        let air = pipe("air.wav")
        let script = folder.write(
            Array("#!/bin/sh\ncat >> '\(folder.file("messages"))'\n".utf8), to: "on-message")
        chmod(script, 0o700)
        let manager = NotifyListener(folder.file("notify"))
        func configuration(_ more: String) -> [UInt8] {
            Array(
                """
                announce.text = "living room"
                audio.playback = "\(air)"
                server = {url = "\(address)", key = "\(key)"}
                deliver.on-message = ["\(script)"]
                deliver.socket = "\(folder.file("box.sock"))"
                token.socket = "\(folder.file("token.sock"))"
                metrics = {file = "\(folder.file("box.prom"))", every-seconds = 1}
                \(more)
                """.utf8)
        }
        let file = folder.write(configuration(""), to: "stb.toml")
        let box = start(
            "nearby", ["stb", "--config", file],
            environment: ["NOTIFY_SOCKET=\(folder.file("notify"))", "WATCHDOG_USEC=1000000"])
        #expect(wait(30) { manager.said.contains("READY=1") }, "\(box.errors)")
        let reader = SocketReader(folder.file("box.sock"))
        let player = SocketReader(folder.file("token.sock"))
        let app = start(
            "nearby",
            [
                "find", "--audio", "--server", address, "--key", key, "--capture", air, "--seconds", "60",
                "--count", "1", "--publish", "louder", "--publish-type", "remote",
            ]
        ).finish(withinSeconds: 90)
        #expect(app.status == 0 && app.text == "found\tscreen\tliving room\n", "\(app.errors)")
        #expect(wait(20) { text("messages").hasSuffix("\n") }, "\(box.errors)")
        let line = text("messages")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["text"] as? String == "louder" && object["type"] as? String == "remote")
        #expect(reader.line() + "\n" == line)
        var tokens = player.line()
        if tokens == "silent" { tokens = player.line() }
        let form = /send profile=dsss lane=[0-3] every=0.0 jitter=0.0 tokens=[0-9a-f]{16}/
        #expect(tokens.wholeMatch(of: form) != nil, "\(tokens)")
        #expect(wait(10) { manager.said.contains("WATCHDOG=1") })
        #expect(wait(10) { text("box.prom").contains("nearby_stb_messages_total 1\n") })
        reload(box, manager, configuration)
        box.signal(SIGTERM)
        let ended = box.finish()
        #expect(ended.status == 0 && ended.output.isEmpty, "\(ended.errors)")
        #expect(wait(5) { manager.said.contains("STOPPING=1") })
        #expect(access(folder.file("box.sock"), F_OK) != 0)
        #expect(access(folder.file("token.sock"), F_OK) != 0)
        // Other tokens may have come meanwhile.
        while tokens != "silent", !tokens.isEmpty { tokens = player.line() }
        #expect(tokens == "silent")
        #expect(text("messages") == line)
        server.interrupt()
        #expect(server.finish().status == 0)
    }

    private func reload(
        _ box: RunningCommand, _ manager: NotifyListener, _ configuration: (String) -> [UInt8]
    ) {
        folder.write(configuration("audio.levle-dbfs = 3"), to: "stb.toml")
        box.signal(SIGHUP)
        #expect(box.waitForWords("not reloaded, the old configuration stays in use: ", seconds: 20))
        #expect(box.errors.contains("perhaps audio.level-dbfs"))
        folder.write(configuration("announce.type = \"tv\""), to: "stb.toml")
        box.signal(SIGHUP)
        #expect(box.waitForWords("reloaded: announce.type", seconds: 20), "\(box.errors)")
        #expect(wait(10) { manager.count(of: "RELOADING=1") == 2 && manager.count(of: "READY=1") == 3 })
    }

    /// The documentation's example from end to end: box, app, server and one room.
    @Test func examplesWithAServer() throws {
        let (server, address, key) = try serve()
        let air = pipe("air.wav")
        let box = start("example-box", ["server", address, key, air])
        let app = start(
            "example-app", ["server", address, key, air, "louder"], environment: ["HOME=\(folder.path)"])
        #expect(
            app.waitForLines(1, seconds: 60) && app.lines == ["found living room"], "\(app.errors)")
        #expect(box.waitForLines(1, seconds: 30) && box.lines == ["louder"], "\(box.errors)")
        for process in [app, box, server] {
            process.interrupt()
            _ = process.finish()
        }
        try? FileManager.default.removeItem(atPath: folder.file(".local"))
        try? FileManager.default.removeItem(atPath: folder.file(".config"))
    }

    /// The same example without a server: there is a pipe each way.
    @Test func examplesWithoutAServer() throws {
        let key = folder.file("shop.key")
        #expect(run("offline", "create", "shop", "-o", key).status == 0)
        let (there, back) = (pipe("there.wav"), pipe("back.wav"))
        let box = start("example-box", ["offline", key, there, back])
        let app = start(
            "example-app", ["offline", key, back, there, "louder"], environment: ["HOME=\(folder.path)"])
        #expect(
            app.waitForLines(1, seconds: 90) && app.lines == ["found living room"], "\(app.errors)")
        #expect(box.waitForLines(1, seconds: 90) && box.lines == ["louder"], "\(box.errors)")
        for process in [app, box] {
            process.interrupt()
            _ = process.finish()
        }
        try? FileManager.default.removeItem(atPath: folder.file(".local"))
        try? FileManager.default.removeItem(atPath: folder.file(".config"))
    }

    /// Both programs print the same configuration, which is valid except for the missing key.
    @Test func printAndCheck() throws {
        let small = Command(program: Command.path(of: "nearby-stb"))
        let printed = run("stb", "--print-config")
        #expect(printed.status == 0 && printed.errors.isEmpty)
        #expect(small.run(["--print-config"]).text == printed.text)
        let file = folder.write(printed.output, to: "stb.toml")
        let missing = run("stb", "--check", file)
        #expect(missing.status == 65 && missing.errorLines.count == 1, "\(missing.errors)")
        #expect(missing.errors.contains("server.key"))
        let withKey = printed.text.replacingOccurrences(of: "\nkey = \"\"", with: "\nkey = \"k\"")
        folder.write(Array(withKey.utf8), to: "stb.toml")
        let well = small.run(["--check", file])
        #expect(
            well.status == 0 && well.output.isEmpty && well.errors.contains("errors found"),
            "\(well.errors)")
    }

    /// There is one line for each problem, and the exit code that goes with it.
    @Test func whatCannotBe() throws {
        let (server, address, _) = try serve()
        let wrongKey = folder.write(
            Array(
                "server = {url = \"\(address)\", key = \"nbk_1_wrong\"}\naudio.playback = \"/dev/null\"".utf8),
            to: "key.toml")
        chmod(wrongKey, 0o600)
        let wrong = folder.write(Array("audio = 1\nx = 2".utf8), to: "wrong.toml")
        let socket = folder.write(
            Array("server.key = \"k\"\ndeliver.socket = \"/proc/none/x\"".utf8), to: "socket.toml")
        let tokens = folder.write(
            Array("server.key = \"k\"\ntoken.socket = \"/proc/none/x\"".utf8), to: "tokens.toml")
        // A microphone that hears nothing: a pipe into which nobody writes.
        let air = folder.file("air.wav")
        #expect(mkfifo(air, 0o600) == 0)
        let cases: [(Int32, [String], Int, String)] = [
            (77, ["stb", "--config", wrongKey], 1, "does not know this API key"),
            (65, ["stb", "--config", wrong], 2, "wrong.toml:1: audio: there is no such key"),
            (66, ["stb", "--config", folder.file("none")], 1, "no such file"),
            (66, ["stb", "--check", folder.path], 1, "this is a folder"),
            (73, ["stb", "--config", socket], 1, "deliver.socket"),
            (73, ["stb", "--config", tokens], 1, "token.socket"),
            (64, ["stb", "--check", wrong, "--print-config"], 1, "either --check or --print-config"),
            (64, ["find", "--audio"], 1, "--key"),
            (64, ["find", "--audio", "--ble", "--key", "k"], 1, "neither for both"),
            (64, ["find", "--offline", "x", "--publish", "y"], 1, "nearby publish --offline"),
            (64, ["find", "--key", "k", "--publish-type", "y"], 1, "needs --publish"),
            (64, ["find", "--key", "k", "--seconds", "0"], 1, "more than 0"),
            (
                77,
                [
                    "find", "--audio", "--server", address, "--key", "nbk_1_wrong", "--capture", air,
                    "--seconds", "20",
                ], 1, "does not know this API key"
            ),
        ]
        for (status, arguments, lines, words) in cases {
            let outcome = Command.nearby.run(arguments)
            let said = outcome.errorLines.filter {
                !$0.hasSuffix("started: \(wrongKey)") && !$0.hasSuffix(": ended")
                    && !$0.contains("loudspeaker") && !$0.contains("microphone")
                    && !$0.contains("not yet known")
            }
            #expect(
                outcome.status == status && said.count == lines && outcome.errors.contains(words),
                "\(arguments): \(outcome.status) \(outcome.errors)")
        }
        server.interrupt()
        #expect(server.finish().status == 0)
    }

    /// For the journal, each line has a priority before it.
    @Test func linesForTheJournal() throws {
        let file = folder.write(
            Array(
                "server = {url = \"http://127.0.0.1:1\", key = \"k\"}\naudio.playback = \"/dev/null\"".utf8),
            to: "stb.toml")
        let errors = folder.write([], to: "errors")
        var state = stat()
        #expect(stat(errors, &state) == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Command.path(of: "nearby-stb"))
        process.arguments = ["--config", file]
        process.environment = [
            "JOURNAL_STREAM": "\(state.st_dev):\(state.st_ino)", "PATH": "/usr/bin:/bin",
        ]
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        #expect(wait(30) { text("errors").contains("does not answer") })
        process.terminate()
        process.waitUntilExit()
        let lines = text("errors").split(separator: "\n")
        #expect(lines.first == "<6>started: \(file)" && lines.last == "<6>ended", "\(lines)")
        #expect(lines.contains { $0.hasPrefix("<4>the registry does not answer") }, "\(lines)")
        #expect(process.terminationStatus == 0)
    }
}
