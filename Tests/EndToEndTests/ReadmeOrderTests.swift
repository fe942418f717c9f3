import Foundation
import Glibc
import TestSupport
import Testing

/// Tests README's commands as a stranger types them: line by line, from the top, in one folder, on a machine
/// without a sound card or a radio.
@Suite(.serialized) struct ReadmeOrderTests {
    private let folder = TemporaryDirectory()

    private struct Section {
        var title: String
        /// The lines of the shell blocks, one after the other.
        var lines: [String] = []
    }

    private func sections() throws -> [Section] {
        let text = try String(contentsOfFile: Repository.path("README.md"), encoding: .utf8)
        var (sections, isShell) = ([Section](), false)
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { sections.append(Section(title: String(line.dropFirst(3)))) }
            if line == "```" { isShell = false }
            // The commands in Tools have tests of their own.
            if isShell, !line.hasPrefix("Tools/"), !sections.isEmpty {
                sections[sections.count - 1].lines.append(String(line))
            }
            #expect(!lines.isEmpty, "\(page) has no shell block")
            return lines
        }
    }

    /// The ends of lines that need something this machine does not have, each with a word of the reason on
    /// standard error.
    private static let refusals: [(command: String, status: Int32, why: String)] = [
        ("nearby-modem transmit", 69, "sound card"), ("nearby-modem listen", 69, "sound card"),
        ("nearby-modem probe  ", 69, "sound card"),
        ("nearby publish 'in the hall' --type place --key-file shop.key  ", 69, "sound card"),
        ("nearby subscribe --type place --key-file shop.key  ", 69, "sound card"),
        ("nearby stb --config", 65, "server.key"), ("nearby find", 69, "sound card"),
        ("nearby ble doctor  ", 69, "no radio"), ("nearby ble scan", 69, "Bluetooth"),
        ("nearby ble advertise --ibeacon", 69, "Bluetooth"),
        ("nearby publish 'in the hall' --type place --key-file shop.key --medium both", 69, "sound card"),
        ("nearby subscribe --beacons", 69, "Bluetooth"),
        ("nearby publish 'in the hall' --type place --offline", 69, "sound card"),
        ("nearby subscribe --type place --offline", 69, "sound card"),
    ]

    /// The lines that go on until Ctrl-C, each in a shell of its own.
    private static let shells = [
        "nearby serve", "nearby publish 'in the hall' --type place --key-file shop.key --only-broadcast",
        "nearby subscribe --type place --key-file shop.key --only-scan",
    ]

    /// Starts a shell in ``folder`` that runs `line`.
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
        // The number is beyond all cards that a machine may have.
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
    }

    /// Checks that commands that print something do so, and that the files exist.
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
