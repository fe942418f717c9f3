import Glibc
import TestSupport
import Testing

/// Tests of recordings as streams, dead recorders and editors leave them.
@Suite struct RecordingTests {
    let command = Command()

    /// Returns a token's WAV with another size in its header.
    func sound(announcing dataBytes: UInt32) -> [UInt8] {
        var bytes = command.run("encode", "--text", "Hello", "-o", "-").output
        for n in 0..<4 { bytes[40 + n] = UInt8(truncatingIfNeeded: dataBytes >> (8 * UInt32(n))) }
        return bytes
    }

    @Test(arguments: [0, 30_000, 0x7FFF_FF00, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
    func aHeaderThatDoesNotKnowTheLength(dataBytes: UInt32) {
        let bytes = sound(announcing: dataBytes)
        command.directory.write(bytes, to: "z.wav")
        let file = command.run("decode", "z.wav")
        #expect(file.status == 0 && file.lines.count == 1)
        #expect(file.errorLines.count == 1 && file.errors.hasPrefix("nearby-modem: z.wav: its header "))
        let pipe = command.run(["decode", "-"], input: bytes)
        #expect(pipe.status == 0 && pipe.lines.count == 1)
        let mixed = command.run(
            ["encode", "--mix", "-", "--text", "x", "--profile", "ggwave-dt-fastest", "-o", "o.wav"],
            input: bytes)
        #expect(mixed.status == 0)
        #expect(command.run("decode", "o.wav").text.contains("48656c6c6f"), "the programme is there")
    }

    @Test func aHeaderAlone() {
        let bytes = Array(sound(announcing: 0)[..<44])
        command.directory.write(bytes, to: "z.wav")
        for arguments in [
            ["decode", "z.wav"], ["decode", "-"], ["plot", "z.wav", "-o", "z.png"],
            ["probe", "--file", "z.wav"],
        ] {
            let outcome = command.run(arguments, input: bytes)
            #expect(outcome.status == 65 && outcome.errorLines.count == 1)
            #expect(outcome.errors.contains("a header alone, without any sound"))
        }
    }

    @Test func aRateThatTheHeaderHasWrong() {
        var bytes = command.run("encode", "--text", "Hello", "-o", "-").output
        bytes.replaceSubrange(24..<28, with: [0x44, 0xAC, 0, 0])
        command.directory.write(bytes, to: "t.wav")
        #expect(command.run("decode", "t.wav").status == 1)
        let outcome = command.run("decode", "--rate", "48000", "t.wav")
        #expect(outcome.status == 0 && outcome.lines.count == 1)
        #expect(outcome.errors == "nearby-modem: t.wav: its header says 44100 Hz; read as 48000 Hz\n")
        #expect(command.run("plot", "--rate", "48000", "t.wav", "-o", "t.png").status == 0)
    }

    /// The command that the line recommends works where there is an ffmpeg: its file name is a shell's word.
    @Test func anotherFormatNamesTheCommandThatReadsIt() throws {
        command.directory.write([0, 0, 0, 24] + Array("ftypM4A \0\0\0\0M4A isom".utf8), to: "it's.m4a")
        let outcome = command.run("decode", "it's.m4a")
        #expect(outcome.status == 65 && outcome.errorLines.count == 1)
        let recommended = "ffmpeg -i 'it'\\''s.m4a' -f wav - | nearby-modem decode -"
        #expect(outcome.errors.hasSuffix(": \(recommended)\n"), "\(outcome.errors)")
        // The file for ffmpeg is a WAV here, and the shell finds a stand-in for ffmpeg that copies it.
        #expect(command.run("encode", "--text", "Hello", "-o", "hello.wav").status == 0)
        command.directory.write(try #require(command.directory.read("hello.wav")), to: "it's.m4a")
        command.directory.write(
            Array("#!/bin/sh\n[ $1$3$4$5 = -i-fwav- ] && exec cat \"$2\"\n".utf8), to: "ffmpeg")
        chmod(command.directory.file("ffmpeg"), 0o755)
        let folder = Command.program.dropLast("/nearby-modem".count)
        let script = Command(program: "/bin/sh")
        let piped = script.run([
            "-c", "cd '\(command.directory.path)' && PATH=.:\(folder):$PATH && \(recommended)",
        ])
        #expect(piped.status == 0 && piped.text.contains("48656c6c6f"), "\(piped.errors)")
    }

    /// Returns noise up to `cutoff` Hz in 16 bits, for a second: a sum of sines 100 Hz apart.
    func noise(upTo cutoff: Int, amplitude: Double) -> [UInt8] {
        let phases = (0..<cutoff / 100).map { Double(($0 * 7919) % 628) / 100 }
        let scale = 32_767 * amplitude / (3 * Double(phases.count).squareRoot())
        // A period of 100 Hz, a hundred times.
        let period = (0..<480).flatMap { n -> [UInt8] in
            let sum = phases.enumerated().reduce(0.0) {
                $0 + sin(2 * Double.pi * Double(100 * ($1.offset + 1) * n) / 48_000 + $1.element)
            }
            let sample = UInt16(bitPattern: Int16(max(-32_768, min(32_767, sum * scale))))
            return [UInt8(sample & 255), UInt8(sample >> 8)]
        }
        return Array(repeatElement(period, count: 100).joined())
    }

    /// A recording of floats that are not scaled to ±1 is heard, and its peak is reported.
    @Test(arguments: [(1, false), (100, true), (32_768, true)] as [(Float, Bool)])
    func floatsOfAnyScale(scale: Float, isReported: Bool) throws {
        let encoded = command.run(["encode", "--profile", "dsss-quick", "--text", "hi", "-o", "-"])
        let samples = encoded.output[44...]
        var floats: [UInt8] = []
        for place in stride(from: samples.startIndex, to: samples.endIndex - 1, by: 2) {
            let sample = Int16(bitPattern: UInt16(samples[place]) | UInt16(samples[place + 1]) << 8)
            withUnsafeBytes(of: scale * Float(sample) / 32_768) { floats += $0 }
        }
        let outcome = command.run(["decode", "--profile", "dsss-quick", "--raw", "f32", "-"], input: floats)
        #expect(
            outcome.status == 0 && outcome.errors.contains(": its peak is +") == isReported,
            "\(outcome.errors)")
    }

    /// The summary says why nothing was heard, if the sound itself shows it.
    @Test(
        arguments: [
            (15_900, 0.3, "; nothing above 16.0 kHz: "), (3900, 0.3, "; nothing above 4.0 kHz: "),
            (24_000, 0.0001, "; its peak is -"),
            (24_000, 30, " % of its samples are at full scale: clipped"),
            (24_000, 0.3, "no token found\n"),
        ] as [(Int, Double, String)]) func whyNothingWasHeard(cutoff: Int, amplitude: Double, words: String)
    {
        let outcome = command.run(
            ["decode", "--profile", "dsss", "--raw", "s16", "-"],
            input: noise(upTo: cutoff, amplitude: amplitude))
        #expect(outcome.status == 1 && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
}
