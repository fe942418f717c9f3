import TestSupport
import Testing

/// Tests of ggwave at the command line.
@Suite struct GGWaveCommandTests {
    private let command = Command()

    @Test func profilesMayBeSeveral() {
        _ = command.run("encode", "--text", "near", "--profile", "dsss-quick", "-o", "a.wav")
        _ = command.run("encode", "--text", "wave", "--profile", "ggwave-audible-fastest", "-o", "b.wav")
        let both = command.run(
            "decode", "a.wav", "b.wav", "--profile", "dsss-quick", "--profile", "ggwave", "--json")
        #expect(both.status == 0)
        #expect(both.lines.map { $0.contains("\"checked\":true") } == [true, false])
        #expect(command.run("decode", "b.wav", "--profile", "dsss").status == 1)
        let heard = command.run("decode", "b.wav")
        #expect(heard.text.contains("ggwave-audible-fastest  77617665  \"wave\""))
        #expect(heard.text.hasSuffix("unchecked\n"))
        #expect(command.run("plot", "b.wav", "-o", "b.png").status == 0)
    }

    /// The maximum is 140 bytes, and another rate works as well.
    @Test func longTokensAreHeard() {
        let hex = (0..<140).map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
        let encoded = command.run(
            "encode", "--token", hex, "--profile", "ggwave-ultrasound-fastest", "--rate", "44100", "-o",
            "t.wav")
        #expect(encoded.status == 0)
        #expect(command.run("decode", "t.wav", "--profile", "ggwave", "--json").text.contains(hex))
    }

    /// At 16 kHz there is no room for the tones that keep the band over 15 kHz from being taken for a
    /// marker's.
    @Test func lowRatesHoldAudibleMessages() {
        let encoded = command.run(
            "encode", "--text", "low", "--profile", "ggwave-audible-fast", "--rate", "16000", "-o", "t.wav")
        #expect(encoded.status == 0)
        #expect(
            command.run("decode", "t.wav", "--profile", "ggwave", "--json").text.contains("\"text\":\"low\""))
    }

    @Test(arguments: [
        (["--text", "x", "--profile", "ggwave-mt-fast"], "ggwave-mt-fast needs --fixed-length"),
        (
            ["--text", "x", "--profile", "ggwave-dt-fast", "--fixed-length", "65"],
            "--fixed-length must be 1 to 64 bytes"
        ),
        (
            ["--text", "12345", "--profile", "ggwave-dt-fast", "--fixed-length", "4"],
            "a token has 1 to 4 bytes"
        ),
        (["--text", "x", "--dss"], "--fixed-length and --dss are for ggwave profiles"),
        (["--token", String(repeating: "00", count: 33)], "a token has 1 to 32 bytes, this one has 33"),
        (
            ["--token", String(repeating: "00", count: 141), "--profile", "ggwave-dt-fast"],
            "a token has 1 to 140 bytes, this one has 141"
        ),
    ])
    func whatCannotBeIsOneClearLine(arguments: [String], words: String) {
        let outcome = command.run(["encode", "-o", "t.wav"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(words))
    }
}
