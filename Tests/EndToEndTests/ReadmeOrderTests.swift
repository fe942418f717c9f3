import Foundation
import Glibc
import TestSupport
import Testing

/// A stranger types the commands of README and then of the articles, line by line, in one folder, on a
/// machine without a sound card or a radio.
@Suite(.serialized) struct ReadmeOrderTests {
    private let folder = TemporaryDirectory()

    /// The pages in the order in which their commands build on each other.
    private static let pages = [
        "README",
        "Sources/AcousticModem/AcousticModem.docc/AtAShell",
        "Sources/LiveModem/LiveModem.docc/Live",
        "Sources/Nearby/Nearby.docc/Demo",
        "Sources/NearbyServer/NearbyServer.docc/AServer",
        "Sources/NearbyServer/NearbyServer.docc/BeaconsOfAPlace",
        "Sources/SetTopBox/SetTopBox.docc/ASetTopBox",
        "Sources/BLEMedium/BLEMedium.docc/Bluetooth",
        "Sources/NearbyOffline/NearbyOffline.docc/WithoutAServer",
    ]

    /// The lines of all shell blocks of all pages, in order. Programs in `Tools` have tests of their own.
    private func lines() throws -> [String] {
        try ReadmeOrderTests.pages.flatMap { page in
            let text = try String(contentsOfFile: Repository.path("\(page).md"), encoding: .utf8)
            var (lines, isShell) = ([String](), false)
            for line in text.split(separator: "\n") {
                if line == "```" { isShell = false }
                if isShell, !line.hasPrefix("Tools/") { lines.append(String(line)) }
                if line == "```sh" { isShell = true }
            }
            #expect(!lines.isEmpty, "\(page) has no shell block")
            return lines
        }
    }

    /// How a line ends that needs what such a machine has not; a word of why, on standard error.
    private static let refusals: [(command: String, status: Int32, why: String)] = [
        ("nearby-modem transmit", 69, "sound card"), ("nearby-modem listen", 69, "sound card"),
        ("nearby-modem probe  ", 69, "sound card"),
        ("nearby publish 'in the hall' --type place --key-file shop.key  ", 69, "sound card"),
        ("nearby subscribe --type place --key-file shop.key  ", 69, "sound card"),
        ("nearby stb --config", 65, "server.key"), ("nearby find", 69, "sound card"),
        ("nearby ble doctor  ", 69, "no radio"), ("nearby ble doctor --details", 69, "no radio"),
        ("nearby ble scan", 69, "Bluetooth"),
        ("nearby ble advertise --ibeacon", 69, "Bluetooth"),
        ("nearby publish 'in the hall' --type place --key-file shop.key --medium both", 69, "sound card"),
        ("nearby subscribe --beacons", 69, "Bluetooth"),
        ("nearby publish 'in the hall' --type place --offline", 69, "sound card"),
        ("nearby subscribe --type place --offline", 69, "sound card"),
    ]

    /// Lines that go on until Ctrl-C, in a shell of their own.
    private static let shells = [
        "nearby serve", "nearby publish 'in the hall' --type place --key-file shop.key --only-broadcast",
        "nearby subscribe --type place --key-file shop.key --only-scan",
    ]

    /// A shell in ``folder`` that types `line`.
    private func type(_ line: String) -> RunningCommand {
        let bin = Command.program.split(separator: "/").dropLast().joined(separator: "/")
        return RunningCommand(
            ["-c", "cd '\(folder.path)'; \(line)"], of: Command(program: "/bin/bash"),
            environment: [
                "HOME=\(folder.path)", "PATH=/\(bin):/usr/bin:/bin",
                "ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:\(folder.file("none.conf"))",
            ])
    }

    @Test func everyLineWorksOrSaysWhyNot() throws {
        // Beyond all cards that a machine may have.
        folder.write(Array("defaults.pcm.card 31\ndefaults.ctl.card 31\n".utf8), to: "none.conf")
        var said: [(line: String, text: String)] = []
        var shells: [(line: String, shell: RunningCommand)] = []
        for line in try lines() {
            let shell = type(line)
            if ReadmeOrderTests.shells.contains(where: { line.hasPrefix($0) }) {
                if line.contains("serve") {
                    #expect(shell.waitForWords("listening on", seconds: 60), "\(line): \(shell.errors)")
                }
                shells.append((line, shell))
                continue
            }
            let outcome = shell.finish(withinSeconds: 120)
            said.append((line, outcome.text))
            guard let refusal = ReadmeOrderTests.refusals.first(where: { line.hasPrefix($0.command) }) else {
                #expect(outcome.status == 0, "\(line): \(outcome.errors)")
                continue
            }
            #expect(outcome.status == refusal.status, "\(line): \(outcome.status) \(outcome.errors)")
            #expect(outcome.errors.contains(refusal.why), "\(line): \(outcome.errors)")
        }
        let listener = try #require(shells.last).shell
        #expect(listener.waitForLines(1, seconds: 60), "\(shells.map(\.shell.errors))")
        #expect(listener.lines.first == "found\tplace\tin the hall", "\(listener.lines)")
        for (line, shell) in shells.reversed() {
            shell.interrupt()
            let outcome = shell.finish()
            #expect(outcome.status == 0, "\(line): \(outcome.status) \(outcome.errors)")
        }
        check(said)
        // README shows what its own lines have drawn.
        for name in ["room.png", "demo.png"] {
            let share = try PictureFixture(name: name).differingShare(folder.read(name) ?? [])
            #expect(share < 0.01, "\(name): \(share) of the pixels differ from Fixtures/pictures")
        }
    }

    /// Commands that are there to print something do, and the files are there.
    private func check(_ said: [(line: String, text: String)]) {
        func texts(_ command: String) -> [String] {
            said.filter { $0.line.contains(command) }.map(\.text)
        }
        #expect(texts("nearby-modem decode").count == 6)
        for command in [
            "nearby-modem decode", "--terminal", "strategy explain", "keys create", "keys list",
            "nearby projects --data", "nearby beacons --project", "doctor", "offline signer", "offline show",
        ] {
            let all = texts(command)
            #expect(!all.isEmpty && all.allSatisfy { !$0.isEmpty }, "\(command): \(all)")
        }
        for name in ["room.png", "heard.png", "demo.png", "stb.toml", "sent.btsnoop", "owner.key"] {
            #expect(folder.read(name).map { !$0.isEmpty } == true, "\(name)")
        }
    }
}
