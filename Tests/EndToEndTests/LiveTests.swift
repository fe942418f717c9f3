import Foundation
import Testing

/// Tests of tokens through real ALSA, a sound server and back, in real time. They run one after the other,
/// because a busy machine loses sound.
@Suite(.serialized) struct LiveTests {
    /// The token of a frame that is sent to know that the listener hears.
    private static let probe = "1a571a571a571a57"

    /// Sends frames until the listener hears one. It has then heard all that was sent before.
    private func probe(_ listener: RunningCommand, in air: VirtualAir) {
        let box = air.start(
            "transmit", "--device", "air_out", "--token", LiveTests.probe, "--profile", "dsss-quick",
            "--level", "-12", "--every", "3")
        #expect(listener.waitForLine(containing: LiveTests.probe, seconds: 10))
        box.interrupt()
        #expect(box.finish().status == 0)
    }

    /// Ends a listener after it has heard all that was sent before.
    private func end(_ listener: RunningCommand, in air: VirtualAir) -> Command.Outcome {
        probe(listener, in: air)
        listener.interrupt()
        return listener.finish()
    }

    /// Returns the fields of a JSON line.
    private func object(_ line: Substring) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func tokens(_ lines: [Substring]) throws -> [String] {
        try lines.map { try #require(try object($0)["token"] as? String) }
    }

    /// Two boxes on lanes of their own have one listener. It reports both tokens as often as they were sent.
    /// Its recording and its snips hold them, too.
    @Test func twoBoxesAndAListener() throws {
        let air = VirtualAir()
        let record = air.command.directory.file("all.wav")
        let snips = air.command.directory.file("snips")
        let listener = air.start(
            "listen", "--device", "air_in", "--profile", "dsss-quick", "--json", "--record", record, "--snip",
            snips)
        let boxes = [("0102030405060708", "1"), ("1112131415161718", "3")].map { token, lane in
            air.start(
                "transmit", "--device", "air_out", "--token", token, "--profile", "dsss-quick", "--lane",
                lane,
                "--level", "-12", "--count", "6", "--every", "1", "--jitter", "0.3")
        }
        for box in boxes {
            let outcome = box.finish()
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("sent 6 frames"), "\(outcome.errors)")
        }
        let outcome = end(listener, in: air)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let heard = try tokens(outcome.lines)
        // The listener may open after the boxes have begun, so that their first frames may be cut.
        for token in ["0102030405060708", "1112131415161718"] {
            let count = heard.count { $0 == token }
            #expect((4...6).contains(count), "\(token) \(count) times")
        }
        #expect(Set(heard) == ["0102030405060708", "1112131415161718", LiveTests.probe])
        let level = try #require(try object(outcome.lines[0])["levelDBFS"] as? Double)
        // This is the level of one box, or of both at once.
        #expect((-14 ... -8).contains(level), "\(level) dBFS")
        let kept = air.command.run("decode", "--profile", "dsss-quick", "--json", record)
        #expect(try tokens(kept.lines).sorted() == heard.sorted())
        let names = try FileManager.default.contentsOfDirectory(atPath: snips)
        #expect(names.count == heard.count)
        let frames = try outcome.lines.map { try object($0) }
        let starts = try frames.map { try #require($0["startSeconds"] as? Double) }
        for (frame, start) in zip(frames, starts) {
            let moment = try #require(frame["time"] as? String).replacing(":", with: "-")
            let token = try #require(frame["token"] as? String)
            let file = "\(snips)/\(moment)_dsss-quick_\(token).wav"
            let snip = air.command.run("decode", "--profile", "dsss-quick", "--json", file)
            // If two frames are equally loud at the same time, a snip may hold only one.
            let isAlone = starts.count { abs($0 - start) < 0.45 } == 1
            let found = try tokens(snip.lines)
            #expect(isAlone ? found.contains(token) : !Set(found).isDisjoint(with: heard), "\(file)")
            unlink(file)
        }
        rmdir(snips)
    }

    /// Each line's token goes on the air once, in order. The last frame is sent whole, and reported soon
    /// after its end.
    @Test func tokensChangeAtFrames() throws {
        let air = VirtualAir()
        let sent = (1...6).map { String(repeating: "0\($0)", count: 8) }
        let idle = air.start(
            "transmit", "--device", "air_out", "--token", "00", "--level", "-90", "--for", "60")
        let listener = air.start("listen", "--device", "air_in", "--profile", "dsss-quick", "--json")
        // The null sink plays ahead until it has been asked for less.
        probe(listener, in: air)
        let box = air.start(
            "transmit", "--device", "air_out", "--tokens", "-", "--profile", "dsss-quick",
            input: Array(sent.map { "\($0)\n" }.joined().utf8))
        #expect(box.finish().status == 0)
        #expect(listener.waitForLines(1 + sent.count, seconds: 3), "\(listener.lines.count) lines")
        listener.interrupt()
        #expect(try tokens(listener.finish().lines) == [LiveTests.probe] + sent)
        idle.interrupt()
        // It was stopped midway, and ends well all the same.
        #expect(idle.finish().status == 0)
    }

    /// The server ends and comes back. Both ends say so once, and tokens are heard again.
    @Test func theServerComesBack() throws {
        let air = VirtualAir()
        let box = air.start(
            "transmit", "--device", "air_out", "--token", "a1b2c3d4e5f60718", "--profile", "dsss-quick")
        let listener = air.start("listen", "--device", "air_in", "--profile", "dsss-quick")
        #expect(listener.waitForLines(2, seconds: 10))
        air.stopServer()
        #expect(listener.waitForWords("waiting for it to come back", seconds: 8))
        #expect(box.waitForWords("waiting for it to come back", seconds: 8))
        let before = listener.lines.count
        air.startServer()
        #expect(listener.waitForWords("is back", seconds: 10))
        #expect(listener.waitForLines(before + 2, seconds: 10))
        for program in [box, listener] {
            program.interrupt()
            let outcome = program.finish()
            #expect(outcome.status == 0)
            #expect(outcome.errors.components(separatedBy: "is back").count == 2, "\(outcome.errors)")
            #expect(outcome.errors.contains("1 reopening of the device"), "\(outcome.errors)")
        }
    }

    /// Carrier sense: a box that listens first does not begin while another one is on the air.
    @Test func listenBefore() throws {
        let air = VirtualAir()
        let listener = air.start(
            "listen", "--device", "air_in", "--profile", "dsss-far", "--profile", "dsss-quick", "--json")
        let other = air.start(
            "transmit", "--device", "air_out", "--token", "0a0b0c0d0e0f1011", "--profile", "dsss-far",
            "--count", "2")
        // Its second frame follows at once.
        #expect(listener.waitForLines(1, seconds: 10))
        let box = air.start(
            "transmit", "--device", "air_out", "--token", "ff00ff00ff00ff00", "--profile", "dsss-quick",
            "--count",
            "1", "--listen-before", "air_in")
        let outcome = box.finish(withinSeconds: 30)
        #expect(outcome.status == 0 && outcome.errors.contains("sent 1 frame"), "\(outcome.errors)")
        #expect(other.finish(withinSeconds: 30).status == 0)
        let spans = try end(listener, in: air).lines.filter { !$0.contains(LiveTests.probe) }.map { line in
            let object = try object(line)
            let start = try #require(object["startSeconds"] as? Double)
            let seconds = try #require(object["durationSeconds"] as? Double)
            return (profile: try #require(object["profile"] as? String), span: start...start + seconds)
        }
        let quick = spans.filter { $0.profile == "dsss-quick" }
        try #require(quick.count == 1, "\(spans)")
        for other in spans where other.profile == "dsss-far" {
            #expect(!other.span.contains(quick[0].span.lowerBound), "\(other.span) and \(quick[0].span)")
        }
    }

    /// The sounding passes through the null sink: all of the band passes, and its picture is written.
    @Test func probing() throws {
        let air = VirtualAir()
        let picture = air.command.directory.file("report.png")
        let probe = air.start(
            "probe", "--playback", "air_out", "--capture", "air_in", "-o", picture, "--json")
        let outcome = probe.finish(withinSeconds: 30)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 1)
        #expect(access(picture, F_OK) == 0)
    }

    /// Every PCM of the configuration is listed, and a wrong name gets a similar one as a hint.
    @Test func devicesAndNames() throws {
        let air = VirtualAir()
        let listed = try air.start("devices", "--json").finish().lines.map { try object($0) }
        let names = listed.compactMap { $0["name"] as? String }
        #expect(names.contains("air_in") && names.contains("air_out"))
        let output = try #require(listed.first { $0["name"] as? String == "air_out" })
        #expect(output["playback"] as? String == "free")
        #expect((output["playbackRatesHz"] as? [Int])?.contains(48_000) == true)
        let unknown = air.start("listen", "--device", "air_inn").finish()
        #expect(unknown.status == 69)
        #expect(unknown.errors == "nearby-modem: air_inn: no such device; did you mean air_in, air_out?\n")
    }
}
