import AcousticModem
import Foundation
import TestSupport
import Testing

/// README says what is so.
@Suite struct ReadmeTests {
    private func readme() throws -> String {
        try String(contentsOfFile: Repository.path("README.md"), encoding: .utf8)
    }

    /// What is between `<!-- name -->` and `<!-- /name -->`.
    private func block(_ name: String) throws -> String {
        let text = try readme()
        let start = try #require(text.range(of: "<!-- \(name) -->\n"))
        let end = try #require(text.range(of: "<!-- /\(name) -->"))
        return String(text[start.upperBound..<end.lowerBound])
    }

    @Test func holdsTheTableOfWaveforms() throws {
        #expect(try block("profiles") == Command().run("profiles").text)
    }

    /// As `Tools/bench/peers` left both.
    @Test func holdsTheTableOfPeers() throws {
        let path = Repository.path("Fixtures/curves/peers.md")
        let fixture = try String(contentsOfFile: path, encoding: .utf8)
        let table = try block("peers")
        #expect(table.hasPrefix("`Tools/bench/peers") && table.contains(", commit "))
        #expect(fixture.hasSuffix("\n\n" + table))
    }

    /// Every command of "At a shell", in order, in one directory: all end well and the last ones hear their tokens.
    @Test func commandsWork() throws {
        let said = try run("At a shell", in: Command())
        #expect(said.count { $0.line.contains("decode") && $0.byteCount > 0 } == 4)
    }

    /// Those of "The Nearby engine": all end well, each says something, and there is a picture.
    @Test func engineCommandsWork() throws {
        let command = Command.nearby
        let said = try run("The Nearby engine", in: command)
        #expect(said.count >= 2 && said.allSatisfy { $0.byteCount > 0 })
        #expect(command.directory.names == ["demo.png"])
    }

    /// Those of "A server": all end well, and each says something.
    @Test func serverCommandsWork() throws {
        let said = try run("A server", in: Command.nearby)
        #expect(said.map { $0.byteCount > 0 } == [false, true, true, true])
    }

    /// Those of "A set-top box": all end well, and the configuration is there.
    @Test func boxCommandsWork() throws {
        let command = Command.nearby
        let said = try run("A set-top box", in: command)
        #expect(said.map { $0.byteCount > 0 } == [false, false])
        #expect(command.directory.names == ["stb.toml"])
    }

    /// Those of "Beacons of a place": all end well, and what is to be printed is.
    @Test func beaconCommandsWork() throws {
        let command = Command.nearby
        let said = try run("Beacons of a place", in: command)
        #expect(said.map { $0.byteCount > 0 } == [false, false, false, false, true, false])
        #expect(command.directory.names == ["mall.key", "server"])
    }

    /// Those of "Bluetooth" that need no adapter: all end well, and the capture is there.
    @Test func bluetoothCommandsWork() throws {
        let command = Command.nearby
        let said = try run("Bluetooth", in: command)
        #expect(said.map { $0.byteCount > 0 } == [true, false, false])
        #expect(command.directory.names == ["sent.btsnoop"])
    }

    /// Those of "Without a server": all end well, and what is to be printed is.
    @Test func offlineCommandsWork() throws {
        let command = Command.nearby
        let said = try run("Without a server", in: command)
        #expect(said.map { $0.byteCount > 0 } == [false, true, true])
        #expect(command.directory.names == ["offline.key", "owner.key"])
    }

    /// What the commands of a section say, run in order in the directory of `command`.
    private func run(_ section: String, in command: Command) throws -> [(line: Substring, byteCount: Int)] {
        let text = try readme()
        let section = try #require(text.range(of: "## \(section)\n\n```sh\n"))
        let end = try #require(text.range(of: "```", range: section.upperBound..<text.endIndex))
        let name = command.program.split(separator: "/").last!
        return try text[section.upperBound..<end.lowerBound].split(separator: "\n").map { line in
            let script = line.replacingOccurrences(of: "\(name) ", with: "'\(command.program)' ")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "set -e; cd '\(command.directory.path)'; \(script)"]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let said = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(line)")
            return (line, said.count)
        }
    }
}

/// `WaveformProfile.thresholdDecibels` is what the committed curves say.
@Suite struct CurveFixtureTests {
    @Test(arguments: WaveformProfile.nearby.filter { $0.thresholdDecibels != nil })
    func thresholdIsTheCrossing(
        profile: WaveformProfile
    ) throws {
        let path = Repository.path("Fixtures/curves/\(profile.name)_awgn.csv")
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let points = rows.compactMap { row -> (ebN0: Double, success: Double, wrong: Double)? in
            let fields = row.split(separator: ",").map { Double($0) }
            guard fields.count >= 6, let ebN0 = fields[0], let wrong = fields[4], let success = fields[5]
            else { return nil }
            return (ebN0, success, wrong)
        }
        #expect(points.count >= 3)
        #expect(points.allSatisfy { $0.wrong == 0 })
        let pair = try #require(
            zip(points, points.dropFirst()).first { $0.success < 0.9 && $1.success >= 0.9 })
        let share = (0.9 - pair.0.success) / (pair.1.success - pair.0.success)
        let crossing = pair.0.ebN0 + share * (pair.1.ebN0 - pair.0.ebN0)
        #expect(abs(crossing - (try #require(profile.thresholdDecibels))) <= 0.05)
    }
}
