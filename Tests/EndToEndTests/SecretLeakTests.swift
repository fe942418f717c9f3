import Glibc
import TestSupport
import Testing

/// Tests of secrets in every place where people put them, right or wrong: no program prints four successive
/// characters of one.
@Suite struct SecretLeakTests {
    /// The secret part of a key or a password in these tests: letters and digits that occur in no word of any
    /// message.
    private static let secret = "Zq7Xw9Vk3Jh5Gy8Qz4Kx6"

    private let command = Command.nearby

    /// Returns the parts of the secret in a text.
    private func leaks(_ text: String, _ secret: String = SecretLeakTests.secret) -> [String] {
        let letters = Array(secret)
        return (0...(letters.count - 4)).map { String(letters[$0..<$0 + 4]) }.filter { text.contains($0) }
    }

    private func file(_ name: String, _ text: String, mode: mode_t = 0o600) -> String {
        let path = command.directory.write(Array(text.utf8), to: name)
        chmod(path, mode)
        return path
    }

    private func run(_ arguments: [String], environment: [String] = []) -> Command.Outcome {
        RunningCommand(arguments, of: command, environment: environment).finish(withinSeconds: 60)
    }

    private func check(_ arguments: [String], environment: [String] = [], fails: Bool = true) {
        let outcome = run(arguments, environment: environment)
        let found = leaks(outcome.text + outcome.errors)
        #expect(found.isEmpty, "\(arguments): \(outcome.errors)")
        #expect((outcome.status != 0) == fails, "\(arguments): \(outcome.status) \(outcome.errors)")
        if fails { #expect(!outcome.errors.isEmpty, "\(arguments)") }
    }

    /// A line of a configuration, with the secret in `$`.
    @Test(arguments: [
        "server.key = $", "server.key = $ # comment", "server.key = nbk_1_$", "server.key = nbk_1_$ more",
        "server.key = \"$", "server.key = '$", "server.key = \"\"\"$", "server.key = \"$\" $",
        "server.key = [\"$\"]",
        "server.key = {a = \"$\"}", "server.key.$ = 1", "[server.key]\n$ = 1", "server.key = \"$\\q\"",
        "server.key = \"$\"\nserver.key = \"$\"", "server.key $", "server.key: $", "$", "nbk_1_$ = 3",
        "server = {key = $}", "server = {key = \"$\" $}", "server.key = \"$\"\nserver.key-file = \"x\"",
        "server.key = \"a $\"", "server.key = 7$", "server.key = +$", "server.key = 1979-05-27T$",
        "server.key-file = \"nbk_1_$\"", "offline.key-file = \"nbk_1_$\"", "server.key = \"$\\n\"",
        "offline = {key-file = \"none\", publishers = [\"$\"]}", "server.kye = $", "announce.text = nbk_1_$",
        "server.url = \"http://anna:$@host:1\"\nserver.key = \"k\"\naudio.playback = \"\"",
    ])
    func configuration(line: String) {
        let text = line.replacing("$", with: Self.secret) + "\n"
        for program in [["stb", "--check"], ["stb", "--config"]] { check(program + [file("stb.toml", text)]) }
    }

    /// Numbers are secrets too.
    @Test func aKeyOfDigits() {
        let digits = "8305172946"
        for line in ["server.key = \(digits)", "server.key = \(digits)x", "server.key = [\(digits)]"] {
            let outcome = run(["stb", "--check", file("stb.toml", line)])
            #expect(outcome.status == 65 && leaks(outcome.errors, digits).isEmpty, "\(outcome.errors)")
        }
    }

    /// These key files contain more than a key, or are no files.
    @Test func keyFiles() {
        let publish = ["publish", "x", "--server", "http://127.0.0.1:1", "--capture", "/dev/null"]
        for text in [
            "\(Self.secret) \(Self.secret)\n", "\(Self.secret)\n\(Self.secret)\n",
            "nbk_1_\(Self.secret)\u{7}", " \n",
        ] {
            check(publish + ["--key-file", file("key", text)])
            let toml = file("stb.toml", "server.key-file = \"\(file("key", text))\"\n")
            check(["stb", "--check", toml])
        }
        check(publish + ["--key-file", "nbk_1_\(Self.secret)"])
        check(publish + ["--offline", "nbk_1_\(Self.secret)"])
        check(publish + ["--key", "\(Self.secret) \(Self.secret)"])
        check(publish + ["--key", Self.secret, "more", Self.secret])
        check(publish + ["--key=\(Self.secret)", "--no-such-option=\(Self.secret)"])
        check(publish + ["--key", Self.secret, "--key-file", "x"])
        check(["publish", "x", "--key", Self.secret, "--server", "http://anna:\(Self.secret)@"])
        check(publish, environment: ["NEARBY_KEY=\(Self.secret) \(Self.secret)"])
        check(["publish", "--key", Self.secret, "--type"])
        let toml = file("stb.toml", "audio.playback = \"/dev/null\"\n")
        check(["stb", "--check", toml], environment: ["NEARBY_KEY=\(Self.secret) \(Self.secret)"])
        check(["stb", "--check", toml], environment: ["NEARBY_KEY=\(Self.secret)"], fails: false)
    }

    /// These are damaged keys for use without a server.
    @Test func offlineKeys() throws {
        let key = command.directory.file("shop.key")
        #expect(run(["offline", "create", "shop", "-o", key]).status == 0)
        let text = String(decoding: try #require(command.directory.read("shop.key")), as: UTF8.self)
        let secret = try #require(text.split(whereSeparator: \.isWhitespace).last.map(String.init))
        let damaged = [
            text.replacing("key ", with: "kye "), text + "\(secret)\n", text.replacing("key ", with: "key x"),
            text.replacing("key ", with: ""), text.replacing(secret, with: secret + secret), secret,
            text.replacing("project shop", with: secret), String(text.dropLast(3)),
        ]
        for damage in damaged {
            let path = file("damaged.key", damage)
            for arguments in [
                ["offline", "show", path], ["publish", "x", "--offline", path],
                ["publish", "x", "--offline", key, "--signer", path], ["subscribe", "--offline", path],
                [
                    "stb", "--check",
                    file("stb.toml", "offline.key-file = \"\(path)\"\naudio.capture = \"x\"\n"),
                ],
            ] {
                let outcome = run(arguments)
                #expect(outcome.status != 0 && !outcome.errors.isEmpty, "\(arguments)")
                #expect(leaks(outcome.text + outcome.errors, secret).isEmpty, "\(outcome.errors)")
            }
        }
    }

    /// A database's URL contains the password in `$`, and is given in all three ways. Nobody answers at that
    /// address, or it is invalid.
    @Test(arguments: [
        "postgres://anna:$@127.0.0.1:1/db", "postgres://anna:$@[::1]:1/db",
        "postgres://anna:$@@127.0.0.1:1/db",
        "postgres://anna:a/$@127.0.0.1:1/db", "postgres://anna:a?$@127.0.0.1:1/db",
        "postgres://anna:a#$@127.0.0.1:1/db", "postgres://anna:a@$@127.0.0.1:1/db", "postgres://anna:$/db",
        "postgres://anna:$", "postgres:/anna:$@127.0.0.1/db", "postgre://anna:$@127.0.0.1/db",
        "postgres://127.0.0.1:1/db?password=$", "postgres://127.0.0.1:1/db?pasword=$",
        "postgres://127.0.0.1:1/db?user=anna&password=$&x", "postgres://anna:%$@127.0.0.1:1/db",
        "postgres://anna:$ @127.0.0.1:1/db", "postgres://anna:$@127.0.0.1:x/db", "$",
        "host=127.0.0.1 port=1 password=$", "postgres://anna:1/$@127.0.0.1:1/db",
    ])
    func databases(template: String) {
        let url = template.replacing("$", with: Self.secret)
        check(["projects", "--store", url])
        check(["projects", "--store=\(url)", "more"])
        check(["serve", "--port", "0", "--store", url])
        check(["projects", "--store-file", file("store", url + "\n")])
        check(["projects", "--store-file", file("store", url + "\n" + url)])
        check(["projects"], environment: ["NEARBY_STORE=\(url)"])
    }

    /// If two options conflict or a key is missing, the error is one line and the exit code 64. An option has
    /// priority over the environment.
    @Test func whichKeyAndWhichStore() {
        let key = file("key", Self.secret)
        let none = "http://127.0.0.1:1"
        let cases: [(arguments: [String], words: String)] = [
            (["publish", "x", "--key", "k", "--key-file", key], "give either --key or --key-file, not both"),
            (["publish", "x", "--offline", key, "--key-file", key], "either --offline"),
            (
                ["projects", "--store", "postgres://h/d", "--store-file", key],
                "give only one of --data, --store and --store-file"
            ),
            (
                ["projects", "--data", "x", "--store-file", key],
                "give only one of --data, --store and --store-file"
            ),
            (["publish", "x", "--server", none], "--key-file"),
        ]
        for (arguments, words) in cases {
            let outcome = run(arguments, environment: ["NEARBY_KEY="])
            #expect(
                outcome.status == 64 && outcome.errorLines.count == 1 && outcome.errors.contains(words),
                "\(arguments): \(outcome.errors)")
        }
        #expect(
            run(["projects", "--data", command.directory.file("data")], environment: ["NEARBY_STORE=x"])
                .status == 0)
        let open = file("open", "postgres://anna:\(Self.secret)@127.0.0.1:1/db", mode: 0o644)
        let warned = run(["projects", "--store-file", open])
        #expect(warned.status == 69 && warned.errors.contains("others may read"), "\(warned.errors)")
        let shown = run(["projects", "--store", "postgres://anna:\(Self.secret)@127.0.0.1:1/db"])
        #expect(shown.status == 69 && shown.errors.contains("--store-file, $NEARBY_STORE"), "\(shown.errors)")
    }
}
