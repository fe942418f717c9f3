import FileNames
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that file names are bytes, and that their printed form cannot command a terminal.
@Suite struct FileNameTests {
    let command = Command()
    /// The name "café" as a Latin-1 system wrote it.
    let latin = "caf\u{10FFE9}"

    /// Runs a program with arguments in which characters of private use stand for bytes.
    func run(_ arguments: [String], of program: Command? = nil, input: [UInt8] = []) -> Command.Outcome {
        (program ?? command).run(arguments, input: input)
    }

    func exists(_ name: String) -> Bool { access(command.directory.file(name), F_OK) == 0 }

    @Test func aLatinNameIsWrittenAndReadAsItIs() throws {
        #expect(run(["encode", "--text", "Hello", "-o", latin + ".wav"]).status == 0)
        #expect(exists(latin + ".wav"), "\(command.directory.names)")
        let text = run(["decode", latin + ".wav"])
        #expect(text.status == 0 && text.text.hasPrefix("caf\\xe9.wav  0.0"), "\(text.text)")
        let json = run(["decode", "--json", latin + ".wav"])
        #expect(json.text.contains(#""file":"caf\udce9.wav""#), "\(json.text)")
        #expect(run(["plot", latin + ".wav", "-o", latin + ".png"]).status == 0 && exists(latin + ".png"))
        #expect(
            run(["encode", "--text", "x", "--mix", latin + ".wav", "--output=" + latin + "2.wav"]).status == 0
        )
        #expect(exists(latin + "2.wav"))
        #expect(
            run(["channel", latin + ".wav", "-o", latin + "3.wav"]).status == 0 && exists(latin + "3.wav"))
    }

    /// The test has a folder of such a name, a link in it, and a character that is an escape by itself.
    @Test func foldersLinksAndTheEscapesThemselves() {
        #expect(mkdir(command.directory.file(latin), 0o700) == 0)
        for name in ["\(latin)/t.wav", "\(latin)/\(latin).wav", FileName.text([0xF4, 0x8F, 0xBF, 0xA9])] {
            #expect(run(["encode", "--text", "Hello", "-o", name]).status == 0)
            #expect(exists(name) && run(["decode", name]).status == 0)
            if name.contains("/") { unlink(command.directory.file(name)) }
        }
    }

    @Test func theServersFiles() throws {
        let nearby = Command.nearby
        let made = run(["offline", "create", "x", "-o", latin + ".key"], of: nearby)
        #expect(made.status == 0, "\(made.errors)")
        #expect(access(nearby.directory.file(latin + ".key"), F_OK) == 0)
        #expect(run(["offline", "show", latin + ".key"], of: nearby).status == 0)
        let missing = run(["beacons", "import", latin], of: nearby)
        #expect(missing.status == 66 && missing.errors.contains("caf\\xe9: "), "\(missing.errors)")
    }

    /// The command passes a box's configuration on to another program.
    @Test func aBoxsConfiguration() {
        let outcome = run(["stb", "--config", latin], of: Command.nearby)
        #expect(
            outcome.status == 66 && outcome.errors.contains(": caf\\xe9: no such file"), "\(outcome.errors)")
    }

    /// A text that is not UTF-8 would become another text.
    @Test(arguments: [
        ["encode", "--text", "\u{10FFE9}", "-o", "t.wav"], ["encode", "--text=\u{10FFE9}", "-o", "t.wav"],
        ["encode", "--token", "\u{10FFE9}", "-o", "t.wav"], ["listen", "--device", "\u{10FFE9}"],
    ]) func otherTextIsUTF8(arguments: [String]) {
        let outcome = run(arguments)
        #expect(outcome.status == 64 && outcome.errorLines.count == 1 && !exists("t.wav"))
        #expect(outcome.errors.contains("is not UTF-8"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ["publish", "demo/hello", "\u{10FFE9}"], ["publish", "\u{10FFE9}/hello", "x"],
        ["publish", "demo/hello", "x", "--server", "\u{10FFE9}"], ["projects", "create", "\u{10FFE9}"],
        ["offline", "create", "\u{10FFE9}", "-o", "x"], ["subscribe", "demo/\u{10FFE9}"],
        ["beacons", "import", "x", "--project", "\u{10FFE9}"],
    ]) func otherTextOfNearby(arguments: [String]) {
        let outcome = run(arguments, of: Command.nearby)
        #expect(outcome.status == 64 && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("is not UTF-8"), "\(outcome.errors)")
    }

    /// These names would clear the screen or add a line.
    @Test func controlsAreShownEscaped() {
        let name = "a\n\u{1B}[2J\u{9B}2J\u{202E}.wav"
        let shown = "a\\n\\u001b[2J\\u009b2J\\u202e.wav"
        #expect(run(["encode", "--text", "Hello", "-o", name]).status == 0)
        let text = run(["decode", name, "b\r\u{7}.wav"])
        #expect(
            text.status == 66 && text.lines.count == 1 && text.text.hasPrefix(shown + "  "), "\(text.text)")
        #expect(text.errors == "nearby-modem: b\\r\\u0007.wav: no such file; check the name\n")
        let json = run(["decode", "--json", name])
        #expect(json.text.contains("\"a\\u000a\\u001b[2J\\u009b2J\\u202e.wav\""))
        let object = try? JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
        #expect(object?["file"] as? String == name)
    }

    /// The list of options that take files is equal to the one in the help.
    @Test func allOptionsOfFilesTakeAnyName() throws {
        // SQLite opens a database's folder, and its names are UTF-8.
        let others: Set = ["--data"]
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: Repository.path("Fixtures/help")) {
            let words = name.dropLast(".txt".count).split(separator: "-").map(String.init)
            let isNearby = words.first == "nearby" && name != "nearby-modem.txt"
            let help = try String(
                contentsOfFile: "\(Repository.path("Fixtures/help"))/\(name)", encoding: .utf8)
            for line in help.split(separator: "\n") {
                let parts = line.split(separator: " ")
                guard let place = parts.firstIndex(where: { $0 == "<file>" || $0 == "<folder>" }), place > 0,
                    line.hasPrefix("  "), parts[0].hasPrefix("-")
                else { continue }
                for option in parts[..<place].map({ String($0.filter { $0 != "," }) })
                where !others.contains(option) {
                    let outcome = run(
                        (isNearby ? Array(words.dropFirst()) : words) + [
                            option, "none/\u{10FFE9}", "--help",
                        ],
                        of: isNearby ? Command.nearby : command)
                    #expect(
                        outcome.status == 0 && outcome.errors.isEmpty, "\(name) \(option): \(outcome.errors)")
                    count += 1
                }
            }
        }
        #expect(count > 20)
    }
}
