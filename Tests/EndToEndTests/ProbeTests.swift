import TestSupport
import Testing

/// Tests of `probe`: the sounding is written, passes through a room, and the room is reported.
@Suite struct ProbeTests {
    private let command = Command()

    init() throws {
        try #require(command.run("probe", "--write", "s.wav").status == 0)
    }

    private func channel(_ arguments: String...) {
        let more = ["--lead", "1", "--trail", "1", "--seed", "3"]
        #expect(command.run(["channel", "s.wav", "-o", "r.wav"] + arguments + more).status == 0)
    }

    /// Returns the value of a member of one flat line of JSON.
    private func member(_ name: String, of json: String) -> Double? {
        guard let start = json.firstRange(of: "\"\(name)\":")?.upperBound else { return nil }
        return Double(json[start...].prefix { $0 != "," && $0 != "}" })
    }

    @Test func aRoomThatWorks() throws {
        channel("--snr", "25", "--rt60", "0.4", "--drr", "3", "--skew", "-60", "--tilt", "-3")
        let outcome = command.run("probe", "--file", "r.wav", "--distance", "2", "-o", "r.png")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.lines.last == "yes: dsss-quick, dsss, dsss-far, fsk at 0 dBFS")
        #expect(command.directory.read("r.png")?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        let json = command.run("probe", "--file", "r.wav", "--distance", "2", "--json").text
        #expect(json.split(separator: "\n").count == 1)
        #expect(abs(try #require(member("clockSkewPPM", of: json)) + 60) < 10)
        #expect(abs(try #require(member("rt60Seconds", of: json)) / 0.4 - 1) < 0.25)
        #expect(abs(try #require(member("directToReverberantDecibels", of: json)) - 3) < 2)
        #expect(abs(try #require(member("startSeconds", of: json)) - 1.75) < 0.001)
        #expect(abs(try #require(member("recommendedLevelDBFS", of: json))) < 0.1)
        #expect(try #require(member("rangeMeters", of: json)) > 2)
    }

    /// The SNR is that of `channel`, over the mean of the five sweeps that count as on air. The loudest are
    /// 3.3 dB above.
    @Test(arguments: [(10.0, Int32(0), "yes: "), (-6, 0, "yes: "), (-15.5, 1, "marginal: "), (-25, 65, "")])
    func theExitCodeTells(snr: Double, status: Int32, words: String) throws {
        channel("--snr", "\(snr)")
        let outcome = command.run("probe", "--file", "r.wav")
        #expect(outcome.status == status, "\(outcome.text)\(outcome.errors)")
        #expect(outcome.lines.last?.hasPrefix(words) ?? words.isEmpty)
        guard status != 65 else {
            #expect(outcome.output.isEmpty)
            return #expect(
                outcome.errors.hasPrefix("nearby-modem: r.wav: no sounding found")
                    && outcome.errorLines.count == 1)
        }
        let json = command.run("probe", "--file", "r.wav", "--json").text
        #expect(abs(try #require(member("snrDecibels", of: json)) - snr - 3.3) < 2)
        #expect(json.contains(status == 0 ? "\"works\":true" : "\"works\":false"))
    }

    /// A sounding's promise is what a token gets: in the same noise, `channel` reports the same Eb/N0 of a
    /// frame.
    @Test(arguments: [("dsss", 12.0), ("dsss", -2), ("dsss-quick", 3), ("dsss-far", 3), ("fsk", 3)])
    func whatIsPromisedIsGot(profile: String, snr: Double) throws {
        channel("--snr", "\(snr)")
        let json = command.run("probe", "--file", "r.wav", "--json").text
        let row = try #require(json.firstRange(of: "{\"profile\":\"\(profile)\"")).lowerBound
        let promised = try #require(member("ebN0Decibels", of: String(json[row...])))
        #expect(
            command.run(
                "encode", "--token", "0102030405060708", "--profile", profile, "-o", "t.wav"
            ).status == 0)
        let said = command.run("channel", "t.wav", "-o", "u.wav", "--snr", "\(snr + 3.34)").errors
        let start = try #require(said.firstRange(of: "Eb/N0 ")).upperBound
        let got = try #require(Double(said[start...].prefix { $0 != " " }))
        #expect(abs(promised - got) < 1, "promised \(promised) dB, got \(got) dB")
        #expect(command.run("decode", "u.wav").text.contains("0102030405060708"))
    }

    /// The sounding of a speaker that does not pass the band is heard below the band, and the report says so.
    @Test func aSpeakerThatDoesNot() {
        channel("--snr", "20", "--notch", "19250:80:3000")
        let outcome = command.run("probe", "--file", "r.wav")
        #expect(outcome.status == 1 && outcome.errors.isEmpty)
        #expect(outcome.lines.last?.hasPrefix("no: ") == true, "\(outcome.text)")
    }

    @Test func atOtherRatesAndThroughPipes() throws {
        for rate in ["44100", "96000"] {
            channel("--snr", "20", "--rate", rate)
            let sound = try #require(command.directory.read("r.wav"))
            let outcome = command.run(["probe", "--file", "-"], input: sound)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(command.run("probe", "--write", "-").output == command.directory.read("s.wav"))
        channel("--snr", "20")
        let picture = command.run("probe", "--file", "r.wav", "-o", "-").output
        #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test(
        arguments: [
            ("--file a --write b", 64), ("--write x --json", 64), ("--write x --distance 2", 64),
            ("--file s.wav --distance 0", 64), ("--file s.wav --distance nan", 64),
            ("--file s.wav -o s.wav", 64),
            ("--file none.wav", 66), ("--file .", 66), ("--file words", 65), ("--file t.wav", 65),
            ("--file t.wav -o x.png", 65), ("--file slow.wav", 65), ("--file s.wav -o none/x.png", 73),
            ("--file s.wav -o /dev/full", 74), ("--write none/x.wav", 73), ("--write /dev/full", 74),
        ] as [(String, Int32)])
    func refusals(arguments: String, status: Int32) {
        #expect(command.run("encode", "--text", "Hello", "--repeat", "6", "-o", "t.wav").status == 0)
        #expect(command.run("channel", "s.wav", "--rate", "32000", "-o", "slow.wav").status == 0)
        command.directory.write(Array("no sound".utf8), to: "words")
        let before = command.directory.names
        let outcome = command.run(["probe"] + arguments.split(separator: " ").map(String.init))
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(command.directory.names == before)
    }
}
