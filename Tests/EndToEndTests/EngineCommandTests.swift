import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `nearby engine`, as programs of other languages use it.
@Suite struct EngineCommandTests {
    private let folder = TemporaryDirectory()

    private func engine(_ name: String, _ arguments: String...) -> RunningCommand {
        let engine = RunningCommand(
            ["engine", "--socket", folder.file(name)] + arguments, of: Command.nearby)
        #expect(engine.waitForWords("listening at ", seconds: 30), "\(engine.errors)")
        return engine
    }

    private func program(_ name: String) -> SocketReader {
        let program = SocketReader(folder.file(name))
        program.limit(seconds: 90)
        #expect(program.line().hasPrefix("{\"event\":\"ready\",\"version\":"))
        return program
    }

    private func makeProject() -> String {
        let path = folder.file("shop.key")
        #expect(Command.nearby.run(["offline", "create", "shop", "-o", path]).status == 0)
        return path
    }

    private func end(_ engine: RunningCommand) {
        engine.interrupt()
        let outcome = engine.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// The article's program finds what another one publishes, by real sound in a pipe; what it began ends
    /// with it.
    @Test(.timeLimit(.minutes(3))) func anyLanguageFinds() throws {
        let (key, air) = (makeProject(), folder.file("air.wav"))
        #expect(mkfifo(air, 0o600) == 0)
        let here = engine("here", "--offline", key, "--only-broadcast", "--playback", air)
        let there = engine("there", "--offline", key, "--only-scan", "--capture", air)
        let publisher = program("here")
        publisher.write(
            "{\"operation\":\"1\",\"do\":\"publish\",\"text\":\"in the hall\",\"type\":\"place\"}\n")
        #expect(publisher.line(with: "active").contains("\"operation\":\"1\""))

        let path = Repository.path("Sources/Nearby/Nearby.docc/FromAnyLanguage.md")
        let article = try String(contentsOfFile: path, encoding: .utf8)
        let start = try #require(article.range(of: "```python\n"))
        let code = try #require(article[start.upperBound...].components(separatedBy: "```").first)
        folder.write(Array(code.utf8), to: "find.py")
        let found = RunningCommand(
            [folder.file("find.py"), folder.file("there")], of: Command(program: "/usr/bin/python3")
        )
        .finish(withinSeconds: 120)
        #expect(found.text == "in the hall\n" && found.status == 0, "\(found.errors)")

        publisher.write("{\"operation\":\"1\",\"do\":\"end\"}\n")
        #expect(publisher.line(with: "ended") == "{\"event\":\"ended\",\"operation\":\"1\"}")
        end(here)
        end(there)
        #expect(!folder.names.contains("here") && !folder.names.contains("there"))
    }

    /// What cannot be carried out is refused, and the connection goes on.
    @Test(.timeLimit(.minutes(2))) func requestsAreRefused() {
        let engine = engine(
            "socket", "--offline", makeProject(), "--only-broadcast", "--playback", folder.file("sent.wav"))
        let program = program("socket")
        for (line, reason) in [
            ("nonsense", "JSON"),
            (#"{"operation":"1","do":"fly"}"#, "expected one of publish, update, subscribe, end"),
            (#"{"operation":"1","do":"end"}"#, "expected the name of an operation"),
            (#"{"operation":"1","do":"update","text":"x"}"#, "publish it first"),
            (
                #"{"operation":"1","do":"publish","text":"x","type":"a type of more than 32 characters"}"#,
                "at most 32"
            ),
        ] {
            program.write(line + "\n")
            let reply = program.line()
            #expect(reply.hasPrefix("{\"event\":\"refused\"") && reply.contains(reason), "\(line): \(reply)")
        }
        // Two requests at once; a name that is taken; its end frees it.
        let publish = #"{"operation":"1","do":"publish","text":"x"}"# + "\n"
        program.write(publish + publish)
        #expect(program.line(with: "refused").contains("choose another name"))
        program.write(#"{"operation":"1","do":"end"}"# + "\n" + publish)
        #expect(!program.line(with: "ended").isEmpty)
        #expect(!program.line(with: "active").isEmpty)
        // A line without an end ends its connection alone.
        let other = self.program("socket")
        other.write(String(repeating: "x", count: 800_000))
        #expect(other.line().isEmpty)
        program.write(#"{"operation":"1","do":"end"}"# + "\n")
        #expect(!program.line(with: "ended").isEmpty)
        end(engine)
    }

    /// The socket's errors say what to do, and a socket that a killed engine left behind is replaced.
    @Test func socketsThatCannotBe() {
        let key = makeProject()
        let quiet = ["--offline", key, "--only-broadcast", "--playback", folder.file("sent.wav")]
        for (path, status, words) in [
            (folder.file("none/socket"), 73, "No such file or directory: choose another --socket"),
            (key, 73, "is there, and no socket: choose another --socket"),
            (String(repeating: "x", count: 200), 73, "choose another --socket"),
        ] {
            let outcome = Command.nearby.run(["engine", "--socket", path] + quiet)
            #expect(
                outcome.status == Int32(status) && outcome.errors.contains(words),
                "\(path): \(outcome.errors)")
        }
        let first = engine(
            "socket", "--offline", key, "--only-broadcast", "--playback", folder.file("sent.wav"))
        let second = Command.nearby.run(["engine", "--socket", folder.file("socket")] + quiet)
        #expect(
            second.status == 73 && second.errors.contains("another program answers there"), "\(second.errors)"
        )
        first.signal(SIGKILL)
        _ = first.finish()
        let third = engine(
            "socket", "--offline", key, "--only-broadcast", "--playback", folder.file("sent.wav"))
        _ = program("socket")
        end(third)
    }
}
