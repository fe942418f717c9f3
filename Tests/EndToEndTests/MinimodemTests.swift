import AudioIO
import Foundation
import TestSupport
import Testing

/// Tests of `fsk2` against Debian's minimodem, byte for byte, both ways. `Tools/install` installs it.
@Suite struct MinimodemTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        var baud: String
        var tones: [String] = []
        var testDescription: String { ([baud] + tones).joined(separator: " ") }
    }

    static let settings = [
        Setting(baud: "100"), Setting(baud: "300"), Setting(baud: "1200"), Setting(baud: "50"),
        Setting(baud: "2400"), Setting(baud: "100", tones: ["--mark", "18500", "--space", "19000"]),
    ]
    private static let text = "Hello, neighbour! 0123456789 ~~~~ UUUU \u{7F}"

    let command = Command()

    /// Runs minimodem in the command's directory, and returns its output.
    private func minimodem(_ arguments: [String], input: String = "") throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/minimodem")
        process.currentDirectoryURL = URL(fileURLWithPath: command.directory.path)
        process.arguments = arguments
        let (given, printed) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (given, printed)
        process.standardError = FileHandle.nullDevice
        try process.run()
        given.fileHandleForWriting.write(Data(input.utf8))
        try given.fileHandleForWriting.close()
        let output = printed.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return [UInt8](output)
    }

    private func tokens(_ arguments: [String]) throws -> [String] {
        let outcome = command.run(["decode", "--profile", "fsk2", "--json"] + arguments)
        return try outcome.lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(object?["token"] as? String)
        }
    }

    private func hex(_ text: String) -> String {
        text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Adds noise to the file, which `channel` does only for other profiles: uniform, a tenth of full scale.
    private func addNoise(to name: String) throws {
        var bytes = try #require(command.directory.read(name))
        var state: UInt64 = 1
        for place in stride(from: 44, to: bytes.count - 1, by: 2) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = Double(Int64(state >> 40) - (1 << 23)) / Double(1 << 23) * 6000
            let sample = Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
            let noisy = UInt16(bitPattern: Int16(max(-32768, min(32767, Double(sample) * 0.5 + noise))))
            (bytes[place], bytes[place + 1]) = (UInt8(noisy & 255), UInt8(noisy >> 8))
        }
        command.directory.write(bytes, to: name)
    }

    @Test(arguments: settings, [false, true]) func fromMinimodem(setting: Setting, isNoisy: Bool) throws {
        _ = try minimodem(["--tx", setting.baud] + setting.tones + ["--file", "t.wav"], input: Self.text)
        if isNoisy { try addNoise(to: "t.wav") }
        #expect(try tokens(["--baud", setting.baud] + setting.tones + ["t.wav"]) == [hex(Self.text)])
    }

    @Test(arguments: settings, [false, true]) func toMinimodem(setting: Setting, isNoisy: Bool) throws {
        let words = ["encode", "--profile", "fsk2", "--baud", setting.baud, "--text", Self.text]
        #expect(command.run(words + setting.tones + ["-o", "t.wav"]).status == 0)
        // Bell 103's tones are closer than a baud, which is difficult enough for minimodem's receiver.
        if isNoisy, setting.baud != "300" { try addNoise(to: "t.wav") }
        let heard = try minimodem(
            ["--rx", setting.baud, "--quiet"] + setting.tones + ["--file", "t.wav"])
        #expect(heard == Array(Self.text.utf8))
    }

    /// At a telephone's rate, minimodem's own clock is 5 % slow.
    @Test func eightKilohertz() throws {
        _ = try minimodem(["--tx", "1200", "-R", "8000", "--file", "t.wav"], input: Self.text)
        #expect(try tokens(["t.wav"]) == [hex(Self.text)])
        let words = ["encode", "--profile", "fsk2", "--rate", "8000", "--text", Self.text, "-o", "u.wav"]
        #expect(command.run(words).status == 0)
        #expect(try tokens(["u.wav"]) == [hex(Self.text)])
        #expect(try minimodem(["--rx", "1200", "-q", "--file", "u.wav"]) == Array(Self.text.utf8))
    }

    @Test func theLongestToken() throws {
        let token = (0..<4096).map { hex(String(UnicodeScalar(UInt8(97 + $0 * 7 % 26)))) }.joined()
        let words = ["encode", "--profile", "fsk2", "-o", "t.wav", "--token"]
        #expect(command.run(words + [token]).status == 0)
        #expect(try tokens(["t.wav"]) == [token])
        #expect(try minimodem(["--rx", "1200", "-q", "--file", "t.wav"]).count == 4096)
        #expect(command.run(words + [token + "00"]).status == 64)
    }

    @Test(arguments: [
        ["--baud", "9"], ["--baud", "nan"], ["--baud", "x"], ["--mark", "1200", "--space", "1300"],
        ["--mark", "30000"], ["--rate", "7000"], ["--space", "inf"],
    ]) func refusals(arguments: [String]) {
        let outcome = command.run(["encode", "--profile", "fsk2", "--text", "x", "-o", "t.wav"] + arguments)
        #expect(outcome.status == 64 && outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(command.directory.names == [])
    }

    @Test func numbersOfAnotherProfile() {
        #expect(command.run("encode", "--text", "x", "--baud", "300", "-o", "t.wav").status == 64)
        #expect(command.run("decode", "--mark", "300", "t.wav").status == 64)
    }
}
