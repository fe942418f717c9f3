import Foundation
import TestSupport
import Testing

/// Tests of `nearby serve --web` and `nearby keys create --web`, as people run them.
@Suite struct WebCommandTests {
    private let folder = TemporaryDirectory()

    init() {
        folder.write(Array("<!doctype html>".utf8), to: "index.html")
    }

    private var page: [String] { ["--web-root", folder.path, "--data", folder.file("data"), "--port", "0"] }

    private func run(_ arguments: String...) -> Command.Outcome { Command.nearby.run(arguments) }

    /// Starts a server. Returns it when it listens and has printed its page's address.
    private func serve(_ more: [String] = []) throws -> (server: RunningCommand, page: String) {
        let server = RunningCommand(["serve"] + page + more, of: Command.nearby)
        #expect(server.waitForWords("web page at ", seconds: 30), "\(server.errors)")
        let line = try #require(server.errors.split(separator: "\n").first { $0.contains("web page at ") })
        return (server, String(try #require(line.split(separator: " ").last)))
    }

    private func python(_ script: String, _ arguments: String...) -> Command.Outcome {
        Command(program: "/usr/bin/python3").run(["-c", script] + arguments)
    }

    private func key(of page: String) throws -> String {
        let script = "import json, sys, urllib.request as r; print(json.load(r.urlopen(sys.argv[1]))['key'])"
        let outcome = python(script, "\(page)/web-config.json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return String(try #require(outcome.lines.first))
    }

    private func end(_ server: RunningCommand) {
        server.interrupt()
        let outcome = server.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// The page's key is made once, and is listed and revoked as others are. After that there is a new one.
    @Test func thePageHasAKeyThatStays() throws {
        let (first, page) = try serve()
        #expect(page.hasPrefix("http://localhost:"))
        let key = try key(of: page)
        #expect(key.hasPrefix("nbw_1_"))
        // Readers of a file get no QR code, and the address of this machine's page needs no word about phones
        // and https.
        #expect(!first.errors.contains("█") && !first.errors.contains("https"), "\(first.errors)")
        end(first)
        let (second, same) = try serve()
        #expect(try self.key(of: same) == key)
        end(second)
        let data = folder.file("data")
        let listed = run("keys", "--data", data)
        #expect(
            listed.text.contains("2  valid  web  page of nearby serve  for the server's own page"),
            "\(listed.text)")
        #expect(run("keys", "revoke", "2", "--data", data).status == 0)
        let (third, another) = try serve()
        #expect(try self.key(of: another) != key)
        end(third)
    }

    @Test func webKeysOfProjects() throws {
        let data = folder.file("data")
        #expect(run("projects", "create", "shop", "--data", data).status == 0)
        let made = run(
            "keys", "create", "--web", "--origin", "https://Shop.example:443", "--origin",
            "http://localhost:8000", "--label", "site", "--project", "shop", "--data", data)
        #expect(made.status == 0 && made.text.hasPrefix("nbw_1_") && made.lines.count == 1, "\(made.errors)")
        let key = String(try #require(made.lines.first))
        #expect(
            run("keys", "--json", "--project", "shop", "--data", data).lines.last.map(String.init) == """
                {"id":2,"label":"site","isRevoked":false,"kind":"web","key":"\(key)",\
                "origins":["http://localhost:8000","https://shop.example"]}
                """)
        let (server, page) = try serve(["--web-key", key])
        #expect(try self.key(of: page) == key)
        end(server)
        // A single project is the page's, whatever its name is. If there are two, somebody has to choose.
        let (other, own) = try serve()
        #expect(try self.key(of: own) != key)
        end(other)
        #expect(run("projects", "create", "mall", "--data", data).status == 0)
        let refused = Command.nearby.run(["serve"] + self.page + ["--log-level", "error"])
        #expect(refused.status == 66 && refused.errors.contains("no project 'default' among"))
        #expect(run("keys", "revoke", "2", "--data", data).status == 0)
        let revoked = Command.nearby.run(["serve"] + self.page + ["--log-level", "error", "--web-key", key])
        #expect(revoked.status == 66 && revoked.errors.contains("no such key, or it was revoked"))
    }

    @Test func whatCannotBe() {
        for (arguments, status) in [
            (["serve", "--web-root", "/nowhere"], 66), (["serve", "--web-key", "nbw_1_x"], 64),
            (["serve", "--web-address", "https://a"], 64), (["serve", "--web", "--web-key", "nbk_1_x"], 64),
            (["serve", "--web", "--web-address", "https://a/b"], 64),
            (["serve", "--web", "--web-address", "*"], 64),
            (["keys", "create", "--origin", "https://a"], 64),
            (["keys", "create", "--web", "--origin", "*"], 64),
            (["keys", "create", "--web", "--origin", "null"], 64),
        ] as [([String], Int32)] {
            let outcome = Command.nearby.run(arguments + ["--data", folder.file("none")])
            #expect(
                outcome.status == status && outcome.errorLines.count == 1, "\(arguments): \(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
        }
    }

    @Test func thePageIsReadAgain() throws {
        let (server, page) = try serve(["--log-level", "notice"])
        folder.write(Array("<!doctype html>another".utf8), to: "index.html")
        server.signal(SIGHUP)
        #expect(server.waitForWords("the web page is as it was just read", seconds: 20), "\(server.errors)")
        let script = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode())"
        #expect(python(script, page).text == "<!doctype html>another\n")
        unlink(folder.file("index.html"))
        server.signal(SIGHUP)
        #expect(server.waitForWords("the web page stays as it was: ", seconds: 20), "\(server.errors)")
        #expect(python(script, page).text == "<!doctype html>another\n")
        end(server)
    }

    @Test func phonesNeedHTTPS() throws {
        let words = "phones allow the microphone only over https"
        let (plain, _) = try serve(["--host", "0.0.0.0"])
        #expect(plain.waitForWords(words, seconds: 20), "\(plain.errors)")
        end(plain)
        let (proxied, page) = try serve(["--host", "0.0.0.0", "--web-address", "https://nearby.example"])
        #expect(page == "https://nearby.example" && !proxied.errors.contains(words))
        end(proxied)
    }

    /// Starts a command on a terminal, ends it when it listens, and prints its output.
    private static let terminal = """
        import os, pty, signal, sys
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ['TERM'] = 'xterm'
            os.execv(sys.argv[1], sys.argv[1:])
        said, ended = b'', False
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            said += piece
            if not ended and b'web page at' in said and said.endswith(b'\\n') \\
                    and ('--no-qr' in sys.argv or said.count(b'\\x1b[0m') >= 15):
                os.kill(pid, signal.SIGINT)
                ended = True
        os.waitpid(pid, 0)
        sys.stdout.buffer.write(said)
        """

    @Test func aTerminalShowsACode() throws {
        let command = [Command.nearby.program, "serve"] + page
        let drawn = Command(program: "/usr/bin/python3").run(["-c", Self.terminal] + command)
        let rows = drawn.text.split(separator: "\r\n").filter { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") }
            .map { Array($0.dropFirst("\u{1B}[38;5;16;48;5;231m".count).prefix { $0 != "\u{1B}" }) }
        let modules = rows.flatMap { row in
            [row.map { "█▀".contains($0) }, row.map { "█▄".contains($0) }]
        }
        let width = try #require(modules.first?.count)
        #expect(width >= 29 && modules.allSatisfy { $0.count == width }, "\(drawn.text)")
        // There are four light modules around it, and in three corners the finder patterns, dark on light.
        #expect(modules.prefix(4).allSatisfy { !$0.contains(true) })
        #expect(modules.allSatisfy { !$0.prefix(4).contains(true) && !$0.suffix(4).contains(true) })
        let side = width - 8
        for (top, left) in [(4, 4), (4, 4 + side - 7), (4 + side - 7, 4)] {
            for row in 0..<7 {
                for column in 0..<7 {
                    let ring = max(abs(row - 3), abs(column - 3))
                    #expect(modules[top + row][left + column] == (ring != 2), "\(row) \(column)")
                }
            }
        }
        let without = Command(program: "/usr/bin/python3").run(
            ["-c", Self.terminal] + command + ["--no-qr"])
        #expect(without.text.contains("web page at http://localhost:") && !without.text.contains("\u{1B}"))
    }
}
