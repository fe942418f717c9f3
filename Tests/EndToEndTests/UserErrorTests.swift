import Foundation
import TestSupport
import Testing

/// Tests of errors that a user can cause, one command a row. The line says what was expected, what came and
/// what to do, and the exit code follows the rule in `Sources/CommandOutput/README.md`. Devices' errors are
/// in `ALSAFileTests`.
@Suite struct UserErrorTests {
    private let command = Command()

    init() {
        command.directory.write(Sound.wav(frames: 0), to: "none.wav")
        command.directory.write(Sound.wav(frames: 48_000), to: "s.wav")
        command.directory.write(Sound.wav(frames: 8000, rateHz: 8000), to: "slow.wav")
        command.directory.write(Array("hello".utf8), to: "text")
        command.directory.write([], to: "empty")
    }

    private func check(_ arguments: String, _ status: Int32, _ line: String) {
        let outcome = command.run(arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) })
        #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
        #expect(outcome.errors == "nearby-modem: \(line)\n", "\(arguments)")
    }

    @Test(arguments: [
        ("decode missing.wav", 66, "missing.wav: no such file; check the name"),
        ("decode ''", 66, "(empty file name): no such file; check the name"),
        ("decode .", 66, ".: is a directory; name a sound file in it"),
        ("plot missing.wav -o p.png", 66, "missing.wav: no such file; check the name"),
        ("channel missing.wav -o c.wav", 66, "missing.wav: no such file; check the name"),
        ("channel s.wav -o c.wav --room measured:missing", 66, "missing: no such file; check the name"),
        ("probe --file missing.wav", 66, "missing.wav: no such file; check the name"),
        ("encode --mix missing.wav --text x -o m.wav", 66, "missing.wav: no such file; check the name"),
        ("transmit --tokens missing", 66, "missing: no such file; check the name"),
        ("decode none.wav", 65, "none.wav: a header alone, without any sound; record it again"),
        ("decode --channel 3 s.wav", 65, "s.wav: has no channel 3, only 1; --channel names one of them"),
        (
            "plot --channel 3 s.wav -o p.png", 65,
            "s.wav: has no channel 3, only 1; --channel names one of them"
        ),
        ("plot s.wav --from 100 -o p.png", 65, "s.wav: is 1.0 s long; --from is beyond its end"),
        (
            "decode --profile dsss slow.wav", 65,
            "slow.wav: at 8000 Hz it cannot hold 18.5–20.0 kHz; record at 44100 Hz or more"
        ),
        ("probe --file s.wav", 65, "s.wav: 1.00 s are too short for a sounding; it lasts 6.00 s"),
        (
            "probe --file slow.wav", 65,
            "slow.wav: 8000 samples a second; expected 44050 or more, as a sounding reaches to 22 kHz; record at 48000"
        ),
        (
            "channel none.wav -o c.wav", 65,
            "none.wav: a header alone, without any sound; record it again"
        ),
        (
            "channel s.wav -o c.wav --tone 1e300:-10", 64,
            "--tone: a recording of 48000 Hz cannot hold 1e+300 Hz; give less than 24000"
        ),
        (
            "curve --profile dsss-quick --trials 1 --resume text", 65,
            "text: holds another curve; expected its first line to be '# nearby-modem curve --profile dsss-quick "
                + "--token-bytes 8 --repeats 1 --speed random --lane 0 --trials 1 --seed 1': name a new file"
        ),
    ])
    func inputs(arguments: String, status: Int32, line: String) { check(arguments, status, line) }

    @Test(arguments: [
        ("encode --text x -o none/a.wav", 73, "none/a.wav: no such directory; create it first"),
        ("encode --text x -o .", 73, ".: is a directory; name a file in it"),
        (
            "encode --text x -o /dev/full", 74,
            "/dev/full: writing failed: No space left on device; free some space or write elsewhere"
        ),
        ("plot s.wav -o none/p.png", 73, "none/p.png: no such directory; create it first"),
        ("probe --file s.wav -o none/p.png", 73, "none/p.png: no such directory; create it first"),
        ("probe --write none/p.wav", 73, "none/p.wav: no such directory; create it first"),
        ("curve --trials 1 --resume none/log", 73, "none/log: no such directory; create it first"),
        ("curve --trials 1 --resume .", 73, ".: is a directory; name a file in it"),
    ])
    func outputs(arguments: String, status: Int32, line: String) { check(arguments, status, line) }

    @Test(arguments: [
        ("nosuch", "Unexpected argument 'nosuch'"),
        ("decode", "Missing expected argument '<file> ...'"),
        ("encode --text x", "Missing expected argument '--output <file>'"),
        ("channel s.wav -o c.wav --snr x", "--snr: expected <db>, came 'x'"),
        (
            "decode --raw u8 s.wav",
            "The value 'u8' is invalid for '--raw <format>'. Please provide one of 's16', 's24', 's32' or 'f32'."
        ),
        (
            "encode --token xyz -o a.wav",
            "expected hexadecimal digits, such as 48656c6c6f; for text use --text"
        ),
        ("encode --token 0 -o a.wav", "a byte is two hexadecimal digits; this token has 1"),
        ("encode --text '' -o a.wav", "a token has 1 to 32 bytes, this one has 0"),
        ("encode --text x -o a.wav --repeat 0", "--repeat must be 1 to 1000000, not 0"),
        (
            "encode --text x -o a.wav --rate 8000",
            "8000 Hz cannot hold 18.5–20.0 kHz; 44100 or 48000 Hz would do"
        ),
        ("encode --text x -o a.wav --level 9", "--level must be -90 to 0 dBFS, not 9.0"),
        ("encode --text x -o a.wav --lane 4", "--lane must be 0 to 3, not 4"),
        ("channel s.wav -o c.wav --snr -500", "--snr must be -100 to 200 dB, not -500.0"),
        ("channel s.wav -o c.wav --rt60 99", "--rt60 must be 0.01 to 20 seconds, not 99.0"),
        ("curve --trials 0", "--trials must be 1 to 100000000, not 0"),
        ("curve --step 0", "--step must be 0.01 to 300 dB, not 0.0"),
        ("bench --seconds 0", "--seconds must be 10 to 1000000 seconds, not 0"),
        ("decode --raw s16 --rate 0 s.wav", "--rate must be 1 to 768000 Hz, not 0"),
        ("decode --channel 0 s.wav", "--channel must be 1 or more, not 0"),
        ("decode --profile ggwave --fixed-length 0 s.wav", "--fixed-length must be 1 to 64 bytes, not 0"),
        ("listen --channels 9", "--channels must be 1 to 8, not 9"),
        ("listen --for nan", "--for must be more than 0 seconds, and under 1000000000, not nan"),
        ("transmit --token 00 --every=-1", "--every must be 0 to 86400 seconds, not -1.0"),
        ("transmit --token 00 --text x", "give one of --token, --text and --tokens"),
        ("probe --file s.wav --distance 0", "--distance must be 0.01 to 1000 meters, not 0.0"),
    ])
    func usage(arguments: String, line: String) { check(arguments, 64, "\(line) (--help tells more)") }

    /// The commands print the descriptions of their own errors, which the compiler knows. They never print a
    /// library's error in the form of its type.
    @Test(arguments: ["nearby-modem", "AudioIO", "CommandOutput", "LiveModem", "Plotting", "Sounding"])
    func noErrorIsPrintedRaw(target: String) throws {
        let folder = Repository.path("Sources/\(target)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".swift")
        }
        try #require(!names.isEmpty)
        for name in names {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("\\(error)") {
                Issue.record("\(target)/\(name): \(line)")
            }
        }
    }
}

/// WAV files of silence.
private enum Sound {
    static func wav(frames: Int, rateHz: Int = 48_000) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return Array("RIFF".utf8) + number(36 + 2 * frames, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
            + number(1, 2) + number(1, 2) + number(rateHz, 4) + number(2 * rateHz, 4) + number(2, 2)
            + number(16, 2) + Array("data".utf8) + number(2 * frames, 4)
            + [UInt8](repeating: 0, count: 2 * frames)
    }
}
