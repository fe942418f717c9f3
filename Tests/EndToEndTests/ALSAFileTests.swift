import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the whole path through ALSA without a server or a clock: its `file` plugin acts as a tape, faster
/// than real time.
@Suite struct ALSAFileTests {
    private let folder = TemporaryDirectory()

    private var environment: [String] {
        ["ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:\(folder.file("asound.conf"))"]
    }

    private func define(_ text: String) { folder.write(Array(text.utf8), to: "asound.conf") }

    private func start(_ arguments: String...) -> RunningCommand {
        RunningCommand(arguments, environment: environment)
    }

    /// `decode` hears everything that `transmit` plays, to the last sample of the last frame.
    @Test(arguments: ["dsss", "fsk"]) func whatIsTransmittedIsDecoded(profile: String) {
        define("pcm.tape { type file slave.pcm null file \"\(folder.file("tape"))\" format raw }\n")
        let transmit = start(
            "transmit", "--device", "tape", "--token", "0123456789abcdef", "--profile", profile, "--count",
            "3")
        let outcome = transmit.finish()
        #expect(
            outcome.status == 0 && outcome.errors == "nearby-modem: tape: sent 3 frames\n",
            "\(outcome.errors)")
        let heard = Command().run(
            "decode", "--raw", "s32", "--profile", profile, "--json", folder.file("tape"))
        #expect(heard.lines.count == 3)
        #expect(heard.lines.allSatisfy { $0.contains("\"token\":\"0123456789abcdef\"") })
    }

    /// A tape that was transmitted is played to `listen`.
    @Test func whatIsOnTheTapeIsHeard() {
        define(
            """
            pcm.tape { type file slave.pcm null file "\(folder.file("tape"))" format raw }
            pcm.ear { type file slave.pcm null file "/dev/null" infile "\(folder.file("tape"))" format raw }

            """)
        let transmit = start(
            "transmit", "--device", "tape", "--token", "cafebabe", "--profile", "dsss-quick", "--count", "2")
        #expect(transmit.finish().status == 0)
        let outcome = start(
            "listen", "--device", "ear", "--profile", "dsss-quick", "--json", "--for", "2"
        ).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 2)
        #expect(outcome.lines.allSatisfy { $0.contains("\"token\":\"cafebabe\"") })
    }

    /// A device that mixes makes as many channels as are asked for, and two are. The token is on the second
    /// one.
    @Test func bothMicrophonesAreHeard() throws {
        define(
            """
            pcm.tape { type file slave.pcm null file "\(folder.file("tape"))" format raw }
            pcm.two { type file slave.pcm null file "/dev/null" infile "\(folder.file("two"))" format raw }
            pcm.ears { type plug slave { pcm two channels 2 } }

            """)
        let transmit = start(
            "transmit", "--device", "tape", "--token", "cafebabe", "--profile", "dsss-quick", "--count", "2")
        #expect(transmit.finish().status == 0)
        let mono = try #require(folder.read("tape"))
        let sampleBytes = 4
        let silence = [UInt8](repeating: 0, count: sampleBytes)
        folder.write(
            stride(from: 0, to: mono.count, by: sampleBytes).flatMap {
                silence + mono[$0..<$0 + sampleBytes]
            },
            to: "two")
        let outcome = start(
            "listen", "--device", "ears", "--profile", "dsss-quick", "--json", "--for", "2", "--record",
            folder.file("record.wav")
        ).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 2)
        #expect(
            outcome.lines.allSatisfy { $0.contains("\"token\":\"cafebabe\"") && $0.contains("\"channel\":2") }
        )
        let record = Command().run("decode", "--profile", "dsss-quick", "--json", folder.file("record.wav"))
        #expect(record.lines.count == 2 && record.lines.allSatisfy { $0.contains("\"channel\":2") })
    }

    /// These bands begin too low for another band below them. The device has no clock, so that sound never
    /// ends.
    @Test(arguments: ["dsss-quick", "fsk-telephone", "ggwave-dt-fastest"])
    func listeningBeforeInEveryBand(profile: String) {
        define("pcm.tape { type file slave.pcm null file \"/dev/null\" format raw }\n")
        let outcome = start(
            "transmit", "--device", "tape", "--token", "0123", "--profile", profile, "--count", "1",
            "--listen-before", "null"
        ).finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// The device stands still for 3 s without reporting it. The times of frames are right within 60 ms: that
    /// of a frame before the stop, which is reported after it, and that of a frame after it. The recording
    /// has silence of that length in its place.
    @Test func timesAcrossAStandstill() throws {
        let pipe = try #require(PacedPipe(folder.file("sound")))
        define(
            "pcm.ear { type file slave.pcm null file /dev/null infile \"\(folder.file("sound"))\" format raw }\n"
        )
        let command = Command()
        let made = command.run(
            "encode", "--token", "0123456789abcdef", "--profile", "fsk", "-o", folder.file("frame.wav"))
        #expect(made.status == 0, "\(made.errors)")
        let frame = try RecordedSound(wav: [UInt8](try #require(folder.read("frame.wav")))).samples
        let record = folder.file("record.wav")
        let listener = start(
            "listen", "--device", "ear", "--profile", "fsk", "--json", "--count", "2",
            "--record", record)
        #expect(pipe.waitForReader(seconds: 20))
        // One period came before.
        let began = pipe.now - 0.05
        pipe.write([Float](repeating: 0, count: 48_000))
        var sent: [Double] = []
        for _ in 0..<2 {
            sent.append(pipe.now)
            pipe.write(frame + [Float](repeating: 0, count: 24_000))
            guard sent.count == 1 else { continue }
            pipe.halt(seconds: 3)
            #expect(listener.lines.isEmpty)
        }
        while listener.lines.count < 2, pipe.now < began + 30 {
            pipe.write([Float](repeating: 0, count: 4800))
        }
        let ended = pipe.now
        let outcome = listener.finish()
        #expect(outcome.status == 0 && outcome.lines.count == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("lost samples, replaced by silence"), "\(outcome.errors)")
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions.insert(.withFractionalSeconds)
        for (line, sent) in zip(outcome.lines, sent) {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let text = try #require(object?["time"] as? String)
            let time = try #require(formatter.date(from: text)).timeIntervalSince1970
            #expect(abs(time - sent) < 0.06, "\(time - sent) s late")
            let start = try #require(object?["startSeconds"] as? Double)
            #expect(abs(start - (sent - began)) < 0.06, "\(start) s for \(sent - began)")
        }
        let kept = try RecordedSound(wav: [UInt8](try #require(folder.read("record.wav"))))
        #expect(abs(Double(kept.samples.count) / 48_000 - (ended - began)) < 0.5)
    }

    /// The error is one line that says what to do, and the exit code is 69.
    @Test func deviceErrors() {
        define("")
        for (arguments, words) in [
            (["listen", "--device", "hw:7"], "hw:7: no such device"),
            (["transmit", "--device", "nowhere", "--token", "00"], "nowhere: no such device"),
            (["probe", "--capture", "nowhere", "--playback", "null"], "nowhere: no such device"),
        ] {
            let outcome = RunningCommand(arguments, environment: environment).finish()
            #expect(outcome.status == 69, "\(arguments)")
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
    }

    /// If nothing is sent, the command fails.
    @Test(arguments: [
        ("", 65, "-: holds no token; expected one per line, such as 48656c6c6f"),
        ("# nothing\r\n\r\n", 65, "-: holds no token; expected one per line, such as 48656c6c6f"),
        ("xyz\n", 65, "-: holds no token; expected one per line, such as 48656c6c6f"),
    ])
    func listsWithoutAToken(list: String, status: Int32, line: String) {
        let transmit = RunningCommand(
            ["transmit", "--device", "null", "--tokens", "-"], input: Array(list.utf8))
        let outcome = transmit.finish()
        #expect(outcome.status == status)
        #expect(outcome.errorLines.last == "nearby-modem: \(line)", "\(outcome.errors)")
    }

    @Test(arguments: [
        ("/tmp", 66, "/tmp: is a directory; name a file with one token per line"),
        ("missing", 66, "missing: no such file; check the name"),
    ])
    func listsThatCannotBeRead(name: String, status: Int32, line: String) {
        let outcome = Command().run("transmit", "--device", "null", "--tokens", name)
        #expect(outcome.status == status && outcome.errors == "nearby-modem: \(line)\n", "\(outcome.errors)")
    }

    /// An error of the configuration is reported in ALSA's own words, and never with the advice to do what
    /// was done already.
    @Test(arguments: [
        (
            "pcm.!default { type nosuchplugin }", "default",
            "default: cannot be opened: ALSA says: Cannot open shared library libasound_module_pcm_nosuchplugin.so"
        ),
        ("pcm.tape { type file }", "tape", "tape: cannot be opened: ALSA says: slave is not defined; mend "),
        (
            "pcm.tape { type file slave.pcm null file /dev/null infile /nonexistent/x }", "tape",
            "tape: cannot be opened: ALSA says: open /nonexistent/x for reading failed; mend "
        ),
        ("pcm.card { type hw card nosuch }", "card", "card: no such device: it"),
        ("pcm.card {", "card", "/asound.conf may be old or corrupted"),
        (
            "pcm.slow { type rate slave { pcm null rate 8000 } }\npcm.low { type linear slave { pcm slow format S16 } }",
            "lowe", "lowe: no such device; did you mean low, slow?"
        ),
        (
            "pcm.far { type pulse server \"unix:/nonexistent\" }", "far",
            "far: its sound server does not answer"
        ),
    ])
    func whatALSASays(configuration: String, device: String, words: String) {
        define(configuration + "\n")
        for arguments in [["listen", "--for", "1"], ["transmit", "--token", "00"]] {
            // To play, ALSA does not open the file from which another plugin would capture.
            if arguments[0] == "transmit", configuration.contains("infile") { continue }
            let outcome = RunningCommand(arguments + ["--device", device], environment: environment).finish()
            #expect(outcome.status == 69, "\(arguments)")
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
            #expect(!outcome.errors.contains("did you mean \(device)?"))
        }
    }

    @Test(arguments: ["pcm.x {", ""]) func devicesOfABrokenConfiguration(configuration: String) {
        define(configuration)
        // Here ALSA's own configuration does not come first.
        let path = configuration.isEmpty ? "/nonexistent" : folder.file("asound.conf")
        let outcome = RunningCommand(["devices"], environment: ["ALSA_CONFIG_PATH=\(path)"]).finish()
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("no sound device; ALSA says: "), "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1)
    }

    /// A picture that cannot be written is refused before the sounding is played and before a device is
    /// opened.
    @Test func aProbesPictureIsCheckedFirst() {
        let probe = RunningCommand([
            "probe", "--playback", "nowhere", "--capture", "nowhere", "-o", "none/p.png",
        ])
        let outcome = probe.finish()
        #expect(outcome.status == 73)
        #expect(outcome.errors == "nearby-modem: none/p.png: no such directory; create it first\n")
    }

    @Test func wrongUsage() {
        for arguments in [
            ["transmit", "--device", "null"],
            ["transmit", "--token", "00", "--text", "x"],
            ["transmit", "--token", "00", "--count", "0"],
            ["transmit", "--token", "00", "--level", "3"],
            ["listen", "--channels", "9"],
            ["listen", "--for", "-1"],
            ["listen", "--snip-rejected", "frame"],
            ["probe", "--playback", "null", "--file", "x.wav"],
        ] {
            let outcome = RunningCommand(arguments, environment: environment).finish()
            #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
        }
    }

    /// A line that is not a token is skipped with a message; the others are sent.
    @Test func wrongLinesAreLeftOut() {
        define("pcm.tape { type file slave.pcm null file \"\(folder.file("tape"))\" format raw }\n")
        let transmit = RunningCommand(
            ["transmit", "--device", "tape", "--profile", "dsss-quick", "--tokens", "-"],
            environment: environment,
            input: Array("\u{FEFF}0a\r\n\n# a comment\nxyz\n 0b \n0c".utf8))
        let outcome = transmit.finish()
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.contains("line 4") && outcome.errors.contains("sent 3 frames"), "\(outcome.errors)"
        )
        let heard = Command().run(
            "decode", "--raw", "s32", "--profile", "dsss-quick", "--json", folder.file("tape"))
        #expect(heard.lines.count == 3)
    }
}
