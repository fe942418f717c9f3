import Glibc
import TestSupport
import Testing

/// Tests of `nearby offline`, and of `publish` and `subscribe` without a server, as people run them.
@Suite struct OfflineCommandTests {
    private let folder = TemporaryDirectory()

    private func start(_ arguments: String...) -> RunningCommand {
        RunningCommand(arguments, of: Command.nearby)
    }

    private func run(_ arguments: String...) -> Command.Outcome { Command.nearby.run(arguments) }

    private func makeProject(_ file: String = "shop.key") -> String {
        let path = folder.file(file)
        let made = run("offline", "create", "shop", "-o", path)
        #expect(made.status == 0 && made.output.isEmpty && made.errorLines.count == 1, "\(made.errors)")
        return path
    }

    /// Two shells exchange one message in one room, without anything else: a pipe is the air, and the sound
    /// in it is real.
    @Test func twoShellsOneRoomOneMessage() throws {
        let (key, air) = (makeProject(), folder.file("air.wav"))
        #expect(mkfifo(air, 0o600) == 0)
        let publisher = start(
            "publish", "in the hall", "--type", "place", "--offline", key, "--only-broadcast", "--playback",
            air)
        let found = start(
            "subscribe", "--type", "place", "--offline", key, "--only-scan", "--capture", air, "--count", "1",
            "--seconds", "60", "--json"
        ).finish(withinSeconds: 90)
        #expect(found.status == 0 && found.errors.isEmpty, "\(found.errors)")
        #expect(found.lines.count == 1)
        #expect(found.text.contains("\"event\":\"found\"") && found.text.contains("\"text\":\"in the hall\""))
        publisher.interrupt()
        let published = publisher.finish()
        #expect(
            published.status == 0 && published.errors.hasPrefix("nearby: published\n"), "\(published.errors)")
    }

    /// A signed message reaches those who trust its publisher or all members. It does not reach those who
    /// trust another publisher, nor those of another project, who see that something was heard.
    @Test func whoIsBelieved() throws {
        let (key, other, air) = (makeProject(), makeProject("other.key"), folder.file("air"))
        let (owner, stranger) = (folder.file("owner.key"), folder.file("stranger.key"))
        let publics = [owner, stranger].map { String(run("offline", "signer", "-o", $0).text.dropLast()) }
        #expect(publics.allSatisfy { $0.utf8.count == 43 })
        // All four hear the same air: a pipe that tee copies to each of them.
        let copies = (0..<4).map { folder.file("air\($0)") }
        #expect(([air] + copies).allSatisfy { mkfifo($0, 0o600) == 0 })
        let copier = RunningCommand(
            ["-c", "exec tee -p \"$@\" <\"$0\" >/dev/null", air] + copies, of: Command(program: "/bin/sh"))
        let listeners = zip(
            copies,
            [
                ["--offline", key, "--count", "1"],
                ["--offline", key, "--count", "1", "--publisher", publics[0]],
                ["--offline", key, "--publisher", publics[1]],
                ["--offline", other],
            ]
        ).map { copy, who in
            RunningCommand(["subscribe", "--only-scan", "--capture", copy] + who, of: Command.nearby)
        }
        let publisher = start(
            "publish", "open", "--offline", key, "--signer", owner, "--only-broadcast", "--playback", air)
        // A whole message takes 20 to 27 s, and as much again if an epoch ends meanwhile. A busy machine may
        // hear it late.
        let believers = listeners[..<2].map { $0.finish(withinSeconds: 120) }
        #expect(believers.allSatisfy { $0.status == 0 && $0.text == "found\t\topen\n" }, "\(believers)")
        #expect(listeners[3].waitForWords("another project", seconds: 60))
        for each in listeners[2...] { each.interrupt() }
        let others = listeners[2...].map { $0.finish() }
        publisher.interrupt()
        #expect(publisher.finish().status == 0)
        copier.interrupt()
        _ = copier.finish()
        #expect(others.allSatisfy { $0.status == 1 && $0.text.isEmpty }, "\(others)")
        #expect(others[0].errorLines.count == 1 && others[1].errorLines.count == 2, "\(others)")
        #expect(
            others[1].errors.contains("another project, or a clock is wrong"), "\(others)")
    }

    /// One public key in 64 begins with a hyphen. It is a key, not an option.
    @Test func aPublisherMayBeginWithAHyphen() {
        let publisher = "-" + String(repeating: "A", count: 42)
        let missing = folder.file("missing.wav")
        let offline = run(
            "subscribe", "--offline", makeProject(), "--publisher", publisher, "--only-scan", "--capture",
            missing)
        #expect(offline.status == 66, "\(offline)")
    }

    /// A key file has mode 0600 and is never written over. A message warns an owner who lets others read it.
    @Test func keyFilesAreForTheirOwner() throws {
        let key = makeProject()
        var state = stat()
        #expect(stat(key, &state) == 0 && state.st_mode & 0o777 == 0o600)
        let before = folder.read("shop.key")
        let again = run("offline", "create", "shop", "-o", key)
        #expect(again.status == 73 && again.errorLines.count == 1, "\(again.errors)")
        #expect(folder.read("shop.key") == before)
        #expect(run("offline", "create", "shop", "-o", "/proc/none").status == 73)
        let shown = run("offline", "show", key)
        #expect(shown.text == "project shop\n" && shown.errors.isEmpty)
        #expect(chmod(key, 0o644) == 0)
        let open = run("offline", "show", key)
        #expect(open.status == 0 && open.errors.contains("chmod 600"), "\(open.errors)")
        let signer = folder.file("owner.key")
        let made = run("offline", "signer", "-o", signer)
        #expect(run("offline", "show", signer).text == "publisher \(made.text)")
    }

    /// Each error is one line, with the exit code that goes with it.
    @Test func whatCannotBe() throws {
        let (key, signer) = (makeProject(), folder.file("owner.key"))
        #expect(run("offline", "signer", "-o", signer).status == 0)
        let noise = folder.write((0..<200).map { UInt8($0) }, to: "noise")
        let empty = folder.write([], to: "empty")
        let air = ["--only-broadcast", "--playback", folder.file("sound.wav"), "--seconds", "5"]
        let cases: [(Int32, [String], String)] = [
            (64, ["publish", "x"], "--offline"),
            (64, ["publish", "x", "--offline", key, "--server", "http://h"], "either"),
            (64, ["publish", "x", "--offline", key, "--key", "k"], "either"),
            (64, ["publish", "x", "--key", "k", "--signer", signer], "--signer needs --offline"),
            (64, ["publish", "x", "--offline", key, "--only-scan"], "needs a server"),
            (64, ["publish", "x", "--offline", key, "--mutual"], "needs a server"),
            (64, ["subscribe", "--offline", key, "--only-broadcast"], "needs a server"),
            (64, ["subscribe", "--offline", key, "--publisher", "abc"], "43 characters"),
            (64, ["publish", String(repeating: "x", count: 256), "--offline", key] + air, "255 bytes"),
            (
                64,
                ["publish", String(repeating: "x", count: 204), "--offline", key, "--signer", signer] + air,
                "at most 208 bytes, not 209"
            ),
            (64, ["offline", "create", "two words", "-o", folder.file("new")], "name"),
            (65, ["publish", "x", "--offline", noise], "is not a key file"),
            (65, ["publish", "x", "--offline", empty], "no line begins with 'project'"),
            (65, ["publish", "x", "--offline", "/dev/zero"], "is not a key file"),
            (65, ["subscribe", "--offline", signer], "for --signer"),
            (65, ["publish", "x", "--offline", key, "--signer", key], "for --offline"),
            (65, ["offline", "show", empty], "no line"),
            (66, ["publish", "x", "--offline", folder.file("none")], "no such file"),
            (66, ["subscribe", "--offline", folder.path], "this is a folder"),
        ]
        for (status, arguments, words) in cases {
            let outcome = Command.nearby.run(arguments)
            // Everybody can read a file that a test has written.
            let lines = outcome.errorLines.filter { !$0.contains("chmod 600") }
            #expect(
                outcome.status == status && lines.count == 1 && outcome.errors.contains(words),
                "\(arguments): \(outcome.status) \(outcome.errors)")
        }
    }
}
