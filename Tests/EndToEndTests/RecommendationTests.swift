import Foundation
import TestSupport
import Testing

/// Tests that commands and options that messages recommend exist and are accepted.
@Suite struct RecommendationTests {
    /// The texts between quotes or backticks in all sources' strings that begin with the name of a program.
    private static let recommended: Set<String> = {
        var found: Set<String> = []
        let sources = FileManager.default.enumerator(atPath: Repository.path("Sources"))
        while let path = sources?.nextObject() as? String {
            guard path.hasSuffix(".swift"),
                let text = try? String(contentsOfFile: Repository.path("Sources/\(path)"), encoding: .utf8)
            else { continue }
            // The words alone are found a hundred times faster than the pattern.
            for line in text.split(separator: "\n") where line.contains("nearby") && !line.contains("//") {
                for match in line.matches(of: /['`](nearby(?:-modem)?(?: [a-z-][a-z0-9-]*)+)/) {
                    found.insert(String(match.output.1))
                }
            }
        }
        return found
    }()

    @Test func commandsAreThere() throws {
        #expect(Self.recommended.count > 8, "the search finds too little: \(Self.recommended)")
        for command in Self.recommended {
            var words = command.split(separator: " ").map(String.init)
            let program = words.removeFirst()
            let options = words.filter { $0.hasPrefix("-") }
            words.removeAll { $0.hasPrefix("-") }
            let outcome = Command(program: Command.path(of: program)).run(words + ["--help"])
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            let usage = "USAGE: " + ([program] + words).joined(separator: " ")
            let name = words.isEmpty ? usage : usage + " "
            #expect(
                outcome.text.contains(name) || outcome.text.contains(usage + "\n"),
                "\(command): \(outcome.text)")
            for option in options { #expect(outcome.text.contains(option), "\(command)") }
        }
    }

    /// Without an adapter, every command's error recommends naming a controller.
    @Test(arguments: [
        ["ble", "scan"], ["ble", "doctor"], ["ble", "advertise", "--token", "0102030405060708"],
        ["subscribe", "--beacons"], ["find", "--ble", "--key", "k"],
        ["subscribe", "--medium", "ble", "--key", "k"],
    ])
    func aNamedControllerIsTaken(command: [String]) {
        let outcome = Command.nearby.run(command + ["--radio", "tcp-client:127.0.0.1:1"])
        #expect(outcome.status == 69, "\(command): \(outcome.errors)")
        #expect((outcome.text + outcome.errors).contains("127.0.0.1:1"), "\(command): \(outcome.errors)")
    }

    /// Each command accepts a beacon's name as another one has printed it.
    @Test func namesOfBeaconsAreTakenAsTheyArePrinted() throws {
        let folder = TemporaryDirectory()
        let data = ["--data", folder.file("data")]
        #expect(Command.nearby.run(["projects", "create", "default"] + data).status == 0)
        for (option, name) in [
            ("--ibeacon", "ibeacon:2f234454-cf6d-4a0f-adf2-f4911ba9ffa6/1/2"),
            ("--eddystone-uid", "eddystone:00112233445566778899+aabbccddeeff"),
        ] {
            #expect(Command.nearby.run(["beacons", "register", name] + data).status == 0)
            let shown = Command.nearby.run(["beacons", "show", name] + data)
            #expect(shown.lines.first?.hasSuffix(name) == true, "\(shown.text) \(shown.errors)")
            let sent = Command.nearby.run(
                ["ble", "advertise", option, name, "--radio", "loopback:", "--for", "0.2"])
            #expect(sent.status == 0, "\(sent.errors)")
        }
    }
}
