import CPNG
import TestSupport
import Testing

@Suite struct PlotTests {
    let command = Command()

    /// Returns width and height as libpng reads them.
    private func size(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0 else { return nil }
        return (Int(image.width), Int(image.height))
    }

    private func encode(_ name: String, _ more: String...) {
        #expect(command.run(["encode", "--text", "Hello", "-o", name] + more).status == 0)
    }

    @Test func writesAPicture() throws {
        encode("t.wav")
        let outcome = command.run("plot", "t.wav", "-o", "t.png")
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
        let bytes = try #require(command.directory.read("t.png"))
        let size = try #require(self.size(bytes))
        #expect(size.width == 1400 && (600...800).contains(size.height))
        #expect(command.run("plot", "t.wav", "-o", "-").output == bytes)
        #expect(command.directory.names == ["t.png", "t.wav"])
    }

    /// A pipe goes into the terminal's version, which has 80 columns without a terminal.
    @Test func drawsInTheTerminal() throws {
        let sound = command.run("encode", "--text", "Hello", "-o", "-").output
        let outcome = command.run(["plot", "-", "--terminal"], input: sound)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.lines.count == 29)
        #expect(outcome.lines.count { $0.contains("▀") } == 25)
        #expect(outcome.lines.last?.hasPrefix("1  0.000 s  dsss  48656c6c6f  SNR ") == true)
        let picture = outcome.lines.filter { $0.contains("▀") }.dropLast()
        #expect(picture.allSatisfy { line in line.count { $0 == "▀" } == 74 })
    }

    /// The part is the second of three frames, at its own time, although half of it lies outside.
    @Test func aPart() throws {
        encode("t.wav", "--repeat", "3", "--gap", "2")
        let outcome = command.run("plot", "t.wav", "--terminal", "--from", "3.6", "--for", "1.5")
        #expect(outcome.status == 0)
        #expect(outcome.lines.count { $0.contains("48656c6c6f") } == 1)
        #expect(outcome.lines.last?.hasPrefix("1  3.2") == true, "\(outcome.lines.last ?? "")")
        #expect(command.run("plot", "t.wav", "--terminal", "--from", "1.3", "--for", "1").status == 1)
    }

    @Test func oneChannel() {
        let silence = command.run("encode", "--text", "Hello", "-o", "t.wav")
        #expect(silence.status == 0)
        #expect(command.run("plot", "t.wav", "--terminal", "--channel", "1").status == 0)
        #expect(command.run("plot", "t.wav", "--terminal", "--channel", "2").status == 65)
        #expect(command.run("plot", "t.wav", "--terminal", "--profile", "dsss-far").status == 1)
    }

    /// Silence gives a picture too.
    @Test func silence() throws {
        let silence = WAVHeaderBytes.mono(sampleRateHz: 48_000, byteCount: 96_000)
        command.directory.write(silence + [UInt8](repeating: 0, count: 96_000), to: "s.wav")
        let outcome = command.run("plot", "s.wav", "-o", "s.png")
        #expect(outcome.status == 1 && outcome.errors == "nearby-modem: s.wav: no token found\n")
        #expect(size(try #require(command.directory.read("s.png"))) != nil)
    }

    /// There is only one sample, or the rate just holds the band.
    @Test(arguments: [(48_000, 2), (42_000, 200), (768_000, 200)])
    func hardlyAnySound(rateHz: Int, byteCount: Int) {
        let sound = WAVHeaderBytes.mono(sampleRateHz: rateHz, byteCount: byteCount)
        command.directory.write(sound + [UInt8](repeating: 7, count: byteCount), to: "s.wav")
        #expect(command.run("plot", "s.wav", "-o", "s.png").status == 1)
        #expect(command.run("plot", "s.wav", "--terminal").status == 1)
    }

    @Test(
        arguments: [
            ("none.wav -o x.png", 66), (". -o x.png", 66), ("words -o x.png", 65), ("empty -o x.png", 65),
            ("/dev/null --terminal", 65), ("slow.wav --profile dsss -o x.png", 65), ("t.wav", 64),
            ("t.wav -o x --terminal", 64),
            ("t.wav -o t.wav", 64), ("t.wav -o x --channel 0", 64), ("t.wav -o x --from -1", 64),
            ("t.wav -o x --from nan", 64), ("t.wav -o x --for 0", 64), ("t.wav -o x --for inf", 64),
            ("t.wav -o x --from 60", 65), ("t.wav -o none/x.png", 73), ("t.wav -o .", 73),
            ("t.wav -o /dev/full", 74), ("t.wav -o x --profile morse", 64), ("-o x", 64),
        ] as [(String, Int32)]) func refusals(arguments: String, status: Int32)
    {
        encode("t.wav")
        command.directory.write([], to: "empty")
        command.directory.write(Array("no sound".utf8), to: "words")
        command.directory.write(
            WAVHeaderBytes.mono(sampleRateHz: 8000, byteCount: 2) + [0, 0], to: "slow.wav")
        let before = command.directory.names
        let outcome = command.run(["plot"] + arguments.split(separator: " ").map(String.init))
        #expect(outcome.status == status && outcome.output.isEmpty)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(command.directory.names == before, "a part of a picture is left")
    }

    @Test func aTerminalThatIsFull() {
        encode("t.wav")
        #expect(command.run(["plot", "t.wav", "--terminal"], output: "/dev/full").status == 74)
    }
}

/// The 44 bytes before 16-bit samples.
private enum WAVHeaderBytes {
    static func mono(sampleRateHz: Int, byteCount: Int) -> [UInt8] {
        func word(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
        }
        let riff = Array("RIFF".utf8) + word(36 + byteCount, 4) + Array("WAVEfmt ".utf8) + word(16, 4)
        let format = word(1, 2) + word(1, 2) + word(sampleRateHz, 4) + word(2 * sampleRateHz, 4)
        return riff + format + word(2, 2) + word(16, 2) + Array("data".utf8) + word(byteCount, 4)
    }
}
