import AudioIO
import Foundation
import TestSupport
import Testing

@Suite struct DecodeTests {
    let command = Command()

    func encode(_ text: String, to name: String, _ more: String...) {
        #expect(command.run(["encode", "--text", text, "-o", name] + more).status == 0)
    }

    @Test(arguments: ["dsss-quick", "dsss", "dsss-far"]) func hearsWhatWasEncoded(profile: String) throws {
        encode("Hello", to: "t.wav", "--profile", profile)
        let outcome = command.run("decode", "t.wav", "--json")
        #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.lines.count == 1)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        #expect(object["file"] as? String == "t.wav")
        #expect(object["token"] as? String == "48656c6c6f")
        #expect(object["text"] as? String == "Hello")
        #expect(object["profile"] as? String == profile)
        #expect(abs(try #require(object["startSeconds"] as? Double)) < 0.005)
        #expect(object["repeats"] as? Int == 1)
        for key in ["snrDecibels", "ebN0Decibels", "speedMetersPerSecond"] { #expect(object[key] is Double) }
    }

    /// The token begins half a second late, so that a time in samples of the wrong rate would show.
    @Test(arguments: [42_000, 44_100, 48_001, 88_200, 96_000, 192_000]) func otherRates(rate: Int) throws {
        let sound = command.run("encode", "--text", "Hello", "--rate", "\(rate)", "-o", "-").output
        let late = [UInt8](repeating: 0, count: rate / 2 * 2) + sound[44...]
        let outcome = command.run(
            ["decode", "--raw", "s16", "--rate", "\(rate)", "--json", "-"], input: late)
        #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.lines.count == 1)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        #expect(object["token"] as? String == "48656c6c6f")
        #expect(abs(try #require(object["startSeconds"] as? Double) - 0.5) < 0.0005)
        #expect(abs(try #require(object["speedMetersPerSecond"] as? Double)) < 0.1)
    }

    /// Each channel has a resampler of its own: the first channel is silent, and the second one has the
    /// token.
    @Test func channelsAtAnotherRate() throws {
        encode("Hello", to: "t.wav", "--rate", "44100")
        #expect(command.run("decode", "t.wav").text.hasPrefix("t.wav  0.000 s  dsss  48656c6c6f"))
        let token = command.run("encode", "--text", "Hello", "--rate", "44100", "-o", "-").output[44...]
        let both = stride(from: token.startIndex, to: token.endIndex, by: 2).flatMap { n -> [UInt8] in
            [0, 0, token[n], token[n + 1]]
        }
        let outcome = command.run(
            ["decode", "--raw", "s16", "--rate", "44100", "--channels", "2", "-"], input: both)
        #expect(outcome.status == 0 && outcome.lines.count == 1 && outcome.text.hasSuffix("channel 2\n"))
    }

    @Test func aRateTooLowSaysWhichWouldDo() {
        let outcome = command.run(
            ["decode", "--profile", "dsss", "--raw", "s16", "--rate", "41999", "-"], input: [0, 0])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors
                == "nearby-modem: -: at 41999 Hz it cannot hold 18.5–20.0 kHz; record at 44100 Hz or more\n")
    }

    /// Of several profiles, the command listens for those that the rate holds and names the others.
    @Test func profilesThatTheRateCannotHoldAreLeftOut() throws {
        encode("Hello", to: "t.wav", "--profile", "ggwave-dt-fastest", "--rate", "22050")
        let outcome = command.run("decode", "t.wav")
        #expect(outcome.status == 0 && outcome.lines.count == 1)
        #expect(
            outcome.text.hasPrefix("t.wav  0.0") && outcome.text.contains("ggwave-dt-fastest  48656c6c6f"))
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("at 22050 Hz it cannot hold dsss-quick, dsss, dsss-far, "))
        #expect(outcome.errors.hasSuffix("; listening for the others\n"))
        let none = command.run("decode", "--profile", "dsss", "--profile", "dsss-far", "t.wav")
        #expect(none.status == 65 && none.output.isEmpty && none.errorLines.count == 1)
    }

    /// A header alone makes the program reserve no memory.
    @Test func aRateNoSoundCardHas() {
        var sound = command.run("encode", "--text", "Hello", "-o", "-").output
        sound.replaceSubrange(24..<28, with: [0xFF, 0xFF, 0xFF, 0x7F])
        command.directory.write(sound, to: "fast.wav")
        let outcome = command.run("decode", "fast.wav")
        #expect(outcome.status == 65 && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("at most 768000 Hz is decoded"), "\(outcome.errors)")
    }

    @Test func aPipe() {
        let sound = command.run("encode", "--text", "Hello", "-o", "-").output
        let outcome = command.run(["decode", "-"], input: sound)
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("-  0.000 s  dsss  48656c6c6f  \"Hello\"  SNR "))
    }

    @Test func rawSamples() {
        let sound = command.run("encode", "--text", "Hello", "-o", "-").output
        let outcome = command.run(["decode", "--raw", "s16", "-"], input: Array(sound[44...]))
        #expect(outcome.status == 0 && outcome.text.contains("48656c6c6f"))
    }

    /// Only the second channel has the token.
    @Test func channels() throws {
        encode("Hello", to: "t.wav")
        let reader = try WAVReader(AudioPath(command.directory.file("t.wav")))
        let count = try #require(reader.format.frameCount)
        var token = AudioBlock(channelCount: 1, capacity: count)
        _ = try reader.read(into: &token)
        var both = AudioBlock(channelCount: 3, capacity: count)
        both.resize(to: count)
        both.withMutableChannel(1) { samples in
            token.withChannel(0) { for n in $0.indices { samples[n] = $0[n] } }
        }
        // The third channel has it more quietly, with noise. The command reports the better one only.
        both.withMutableChannel(2) { samples in
            token.withChannel(0) { for n in $0.indices { samples[n] = 0.1 * $0[n] + noise(n) } }
        }
        let writer = try WAVWriter(
            AudioPath(command.directory.file("many.wav")),
            format: AudioFormat(sampleRateHz: 48000, channelCount: 3))
        try writer.write(both)
        try writer.finish()
        let all = command.run("decode", "many.wav")
        #expect(all.status == 0 && all.lines.count == 1 && all.text.hasSuffix("channel 2\n"))
        #expect(command.run("decode", "many.wav", "--channel", "2").status == 0)
        #expect(command.run("decode", "many.wav", "--channel", "1").status == 1)
        #expect(command.run("decode", "many.wav", "--channel", "4").status == 65)
    }

    private func noise(_ n: Int) -> Float {
        var z = UInt64(n) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return 0.02 * (Float((z >> 40) & 0xFFFF) / 32768 - 1)
    }

    @Test func otherFilesAreStillDecoded() {
        encode("Hello", to: "t.wav")
        command.directory.write(Array("no sound".utf8), to: "words.txt")
        let outcome = command.run("decode", "none.wav", "words.txt", "t.wav")
        #expect(outcome.status == 66)
        #expect(outcome.lines.count == 1 && outcome.errorLines.count == 2)
        #expect(command.run("decode", "words.txt", "t.wav").status == 65)
    }

    @Test func silenceHasNoToken() {
        let silence = [UInt8](repeating: 0, count: 2 * 48000)
        let outcome = command.run(["decode", "--raw", "s16", "-"], input: silence)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "nearby-modem: -: no token found; all samples are zero: a muted microphone or the wrong input\n"
        )
    }

    @Test func whatIsNotANumberIsCounted() {
        let samples = [UInt8](repeating: 0xFF, count: 4 * 100)
        let outcome = command.run(["decode", "--raw", "f32", "-"], input: samples)
        #expect(outcome.status == 1)
        #expect(
            outcome.errorLines.first
                == "nearby-modem: -: 100 samples were not numbers and were read as silence")
    }

    @Test func statistics() {
        let outcome = command.run(["decode", "--raw", "s16", "--stats", "-"], input: [0, 0, 0, 0])
        #expect(outcome.errorLines.contains("nearby-modem: -: samples: 2"))
    }

    @Test func aReaderOfTheResultThatIsFull() {
        encode("Hello", to: "t.wav")
        let outcome = command.run(["decode", "t.wav"], output: "/dev/full")
        #expect(outcome.status == 74 && outcome.errorLines.count == 1)
    }

    @Test(
        arguments: [
            (["none.wav"], 66), (["."], 66), ([""], 66), (["/dev/null"], 65), (["-"], 65), (["empty"], 65),
            ([], 64), (["x", "--profile", "morse"], 64), (["x", "--channel", "0"], 64),
            (["x", "--channels", "2"], 64),
            (["x", "--raw", "s17"], 64), (["x", "--raw", "s16", "--rate", "0"], 64), (["--nonsense"], 64),
            (["x", "--raw", "s16", "--channels", "1025"], 64),
            (["x", "--raw", "s16", "--channels", "-1"], 64),
            (["empty", "--profile", "dsss", "--raw", "s16", "--rate", "22050"], 65),
        ] as [([String], Int32)]) func refusals(arguments: [String], status: Int32)
    {
        command.directory.write([], to: "empty")
        let outcome = command.run(["decode"] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("nearby-modem: "))
        #expect(outcome.output.isEmpty)
        #expect(command.directory.names == ["empty"])
    }
}
