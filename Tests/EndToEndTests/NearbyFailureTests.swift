import Foundation
import TestSupport
import Testing

/// Tests of the messages and the ends of `nearby` when something goes wrong: one line at the end says what
/// was expected, what came and what to do, and the exit code goes with it.
@Suite struct NearbyFailureTests {
    private let folder = TemporaryDirectory()

    struct Case: Sendable {
        var status: Int32
        var words: String
        var arguments: [String]

        init(_ status: Int32, _ words: String, _ arguments: String...) {
            (self.status, self.words, self.arguments) = (status, words, arguments)
        }
    }

    /// Checks that the last line is the reason, and that the earlier lines report the progress and do not
    /// repeat one another.
    private func check(_ one: Case, _ outcome: Command.Outcome) {
        let lines = outcome.errorLines
        #expect(outcome.status == one.status, "\(one.arguments): \(outcome.errors)")
        #expect(lines.last?.contains(one.words) == true, "\(one.arguments): \(outcome.errors)")
        #expect(Set(lines).count == lines.count, "\(one.arguments): \(outcome.errors)")
        #expect(lines.allSatisfy { $0.hasPrefix("nearby: ") && $0.utf8.count < 400 }, "\(outcome.errors)")
        // This is Swift's own way to print a library's error.
        for sign in ["Error(", "error:", "NIO", "Optional(", "errno", "HTTPClient"] {
            #expect(!outcome.errors.contains(sign), "\(one.arguments): \(outcome.errors)")
        }
    }

    static let quiet = ["--only-broadcast", "--playback", "sent.wav"]

    @Test(arguments: [
        Case(64, "http:// or https:// is missing", "--server", "nowhere"),
        Case(64, "neither http nor https", "--server", "ftp://h"),
        Case(64, "the server's name is missing", "--server", "http://"),
        Case(64, "a user or a password", "--server", "http://anna:secret@h"),
        Case(64, "a port is 1 to 65535", "--server", "http://h:99999"),
        Case(66, "missing.pem: No such file", "--trust", "missing.pem"),
        Case(65, "no certificate in it", "--trust", "/dev/null"),
        Case(69, "connection refused", "--server", "http://127.0.0.1:1", "--seconds", "2"),
        Case(69, "does not answer: no such name", "--server", "http://nowhere.invalid", "--seconds", "9"),
    ])
    func serversThatAreNone(one: Case) {
        let publish = ["publish", "x", "--key", "k"] + Self.quiet
        check(one, Command.nearby.run(publish + one.arguments))
    }

    /// If a needed device does not open, the command ends at once with the driver's own reason.
    @Test(arguments: [
        Case(66, "missing.wav: no such file", "subscribe", "--only-scan", "--capture", "missing.wav"),
        Case(66, "missing.wav: no such file", "subscribe", "--capture", "missing.wav"),
        Case(66, "missing.wav: no such file", "find", "--audio", "--capture", "missing.wav"),
        Case(65, "/dev/null: is empty", "subscribe", "--only-scan", "--capture", "/dev/null"),
        Case(69, "microphone: hw:77: ", "subscribe", "--only-scan", "--capture", "hw:77"),
    ])
    func soundThatIsNone(one: Case) {
        let outcome = Command.nearby.run(
            one.arguments + ["--key", "k", "--server", "http://127.0.0.1:1"])
        check(one, outcome)
        #expect(outcome.errors.contains("microphone: ") && !outcome.errors.contains("--raw"))
    }

    /// Without a server there is a token at once, so that a loudspeaker is opened at once too.
    @Test func aLoudspeakerThatIsNone() {
        let key = folder.file("shop.key")
        #expect(Command.nearby.run("offline", "create", "shop", "-o", key).status == 0)
        let publish = ["publish", "x", "--offline", key, "--only-broadcast", "--playback"]
        check(
            Case(73, "loudspeaker: /nowhere/x.wav: "), Command.nearby.run(publish + ["/nowhere/x.wav"]))
        check(Case(69, "loudspeaker: hw:77: "), Command.nearby.run(publish + ["hw:77"]))
    }

    /// If the time is over and nothing was done, the command fails.
    @Test func nothingFound() throws {
        let key = folder.file("shop.key")
        #expect(Command.nearby.run("offline", "create", "shop", "-o", key).status == 0)
        #expect(mkfifo(folder.file("air.wav"), 0o600) == 0)
        let common = ["--offline", key, "--capture", folder.file("air.wav"), "--seconds", "1"]
        for arguments in [
            ["subscribe", "--only-scan"], ["subscribe", "--only-scan", "--count", "1"], ["find"],
        ] {
            check(Case(1, "nothing was found"), Command.nearby.run(arguments + common))
        }
    }

    @Test(arguments: [
        Case(66, "nofile: no such file", "publish", "x", "--key-file", "nofile"),
        Case(66, "this is a folder", "publish", "x", "--key-file", "/"),
        Case(66, "nofile: no such file", "publish", "x", "--offline", "nofile"),
        Case(65, "is not a project's key", "publish", "x", "--offline", "/dev/null"),
        Case(64, "no API key: give --key-file", "publish", "x"),
        Case(66, "nofile: no such file", "offline", "show", "nofile"),
        Case(73, "create it first", "offline", "create", "shop", "-o", "/nowhere/key"),
        Case(73, "create it first", "offline", "signer", "-o", "/nowhere/key"),
        Case(66, "nofile: no such file", "stb", "--check", "nofile"),
        Case(66, "nofile: no such file", "projects", "--store-file", "nofile"),
        Case(64, "postgres://", "projects", "--store", "nonsense"),
        Case(73, "--data /proc/x", "projects", "--data", "/proc/x"),
        Case(66, "'nearby projects create default'", "beacons", "--data", "d"),
        Case(69, "no controller at 127.0.0.1:1", "ble", "scan", "--radio", "tcp-client:127.0.0.1:1"),
        Case(69, "cannot be opened", "ble", "scan", "--radio", "serial:/dev/none,115200"),
        Case(64, "expected a radio", "ble", "scan", "--radio", "none"),
        Case(1, "no advertisement was received", "ble", "scan", "--radio", "loopback:x", "--for", "0.5"),
        Case(73, "create it first", "ble", "scan", "--radio", "loopback:x", "--capture-file", "/nowhere/x"),
        Case(64, "not 'zz'", "ble", "advertise", "--radio", "loopback:x", "--token", "zz"),
        Case(73, "/nowhere/x.png", "demo", "-o", "/nowhere/x.png"),
        Case(64, "none of audio, ble", "strategy", "explain", "--publish", "sound"),
    ])
    func filesRadiosAndWords(one: Case) { check(one, Command.nearby.run(one.arguments)) }

    @Test func beacons() {
        let data = folder.file("data")
        #expect(Command.nearby.run("projects", "create", "default", "--data", data).status == 0)
        let door = "ibeacon:2f234454-cf6d-4a0f-adf2-f4911ba9ffa6/1/2"
        for one in [
            Case(64, "ibeacon:UUID/MAJOR/MINOR", "register", "nonsense"),
            Case(66, "there is no beacon \(door) in this project: 'nearby beacons' lists", "show", door),
            Case(64, "expected namespace/type", "attach", door, "offer", "x"),
            Case(65, "'nearby beacons namespace mall'", "attach", door, "mall/offer", "x"),
            Case(66, "nofile: no such file", "attach", door, "mall/offer", "--file", "nofile"),
            Case(65, "is empty", "import", "/dev/null"),
            Case(66, "nofile: no such file", "import", "nofile"),
            Case(66, "'nearby beacons show \(door)'", "detach", door, "mall/offer"),
            Case(64, "\(door) exists already", "register", door),
        ] {
            if one.arguments[0] == "attach", one.words.contains("namespace mall") {
                #expect(Command.nearby.run(["beacons", "register", door, "--data", data]).status == 0)
            }
            check(one, Command.nearby.run(["beacons"] + one.arguments + ["--data", data]))
        }
    }
}
