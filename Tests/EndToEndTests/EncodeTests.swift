import AcousticModem
import AudioIO
import Glibc
import TestSupport
import Testing

@Suite struct EncodeTests {
    let command = Command()

    func sound(_ name: String) throws -> (format: AudioFormat, channels: [[Float]]) {
        let reader = try WAVReader(AudioPath(command.directory.file(name)))
        var channels = [[Float]](repeating: [], count: reader.format.channelCount)
        var block = reader.makeBlock()
        while try reader.read(into: &block) {
            for index in channels.indices { block.withChannel(index) { channels[index] += $0 } }
        }
        return (reader.format, channels)
    }

    @Test func theWaveformAtItsLevel() throws {
        let outcome = command.run("encode", "--token", "48656C6c6f", "-o", "t.wav")
        #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.isEmpty)
        let (format, channels) = try sound("t.wav")
        let waveform = try Transmitter(profile: .dsss).waveform(of: Array("Hello".utf8))
        #expect(format == AudioFormat(sampleRateHz: 48000, channelCount: 1, frameCount: waveform.count))
        let gain = powf(10, -6 / 20)
        let error = zip(channels[0], waveform).map { abs($0 - gain * $1) }.max() ?? 1
        #expect(error < 0x1p-15)
    }

    @Test func repeatsWithGaps() throws {
        #expect(
            command.run(
                "encode", "--text", "x", "--profile", "dsss-quick", "--repeat", "3", "--gap", "0.5",
                "--level", "0",
                "--rate", "44100", "-o", "t.wav"
            ).status == 0)
        let (format, channels) = try sound("t.wav")
        let waveform = try Transmitter(profile: .dsssQuick, sampleRateHz: 44100).waveform(of: [120])
        #expect(format.sampleRateHz == 44100)
        let period = waveform.count + 22050
        #expect(channels[0].count == 3 * period - 22050)
        let isPeriodic = channels[0][..<waveform.count] == channels[0][(2 * period)...]
        #expect(isPeriodic)
        #expect(channels[0][waveform.count..<period].allSatisfy { $0 == 0 })
    }

    @Test func standardOutputIsTheFile() throws {
        let streamed = command.run("encode", "--text", "-x", "-o", "-")
        #expect(command.run("encode", "--text", "-x", "-o", "t.wav").status == 0)
        let isSame = streamed.output == command.directory.read("t.wav")
        #expect(isSame && streamed.status == 0)
    }

    /// Lanes and profiles sound different, and the same command sounds the same.
    @Test func lanesDiffer() {
        let sounds = ["0", "1", "2", "3", "0"].map {
            command.run("encode", "--text", "x", "--lane", $0, "-o", "-").output
        }
        #expect(Set(sounds).count == 4)
        let isSame = sounds[0] == sounds[4]
        #expect(isSame)
    }

    @Test func aFullDisk() {
        let outcome = command.run(["encode", "--text", "x", "-o", "-"], output: "/dev/full")
        #expect(outcome.status == 74)
        #expect(
            outcome.errors == "nearby-modem: -: writing failed: No space left on device; "
                + "free some space or write elsewhere\n")
        #expect(command.run("encode", "--text", "x", "-o", "/dev/full").status == 74)
    }

    @Test(
        arguments: [
            (["--token", "4865", "-o", "none/t.wav"], 73), (["--token", "4865", "-o", "."], 73),
            (["--token", "4865", "-o", ""], 73),
            (["--token", "4865", "--repeat", "1000000", "-o", "t.wav"], 73),
            (["--token", "4865"], 64), (["-o", "t.wav"], 64), (["--token", "", "-o", "t.wav"], 64),
            (["--token", "486", "-o", "t.wav"], 64), (["--token", "zz", "-o", "t.wav"], 64),
            (["--token", "é", "-o", "t.wav"], 64), (["--text", "", "-o", "t.wav"], 64),
            (["--token", String(repeating: "00", count: 33), "-o", "t.wav"], 64),
            (["--token", "00", "--text", "x", "-o", "t.wav"], 64),
            (["--text", "x", "--rate", "32000", "-o", "t"], 64),
            (["--text", "x", "--rate", "9223372036854775807", "-o", "t"], 64),
            (["--text", "x", "--rate", "-1", "-o", "t"], 64),
            (["--text", "x", "--profile", "fsk3", "-o", "t"], 64),
            (["--text", "x", "--lane", "4", "-o", "t"], 64),
            (["--text", "x", "--level", "nan", "-o", "t"], 64),
            (["--text", "x", "--level", "1", "-o", "t"], 64),
            (["--text", "x", "--gap", "inf", "-o", "t"], 64),
            (["--text", "x", "--gap", "-1", "-o", "t"], 64),
            (["--text", "x", "--repeat", "0", "-o", "t"], 64),
            (["--text", "x", "--mix", "none.wav", "-o", "t"], 66),
            (["--text", "x", "--mix", ".", "-o", "t"], 66),
            (["--text", "x", "--mix", "/dev/null", "-o", "t"], 65),
            (["--text", "x", "--nonsense", "-o", "t"], 64),
            (["--text", "x", "--mix", "/dev/null", "--rate", "48000", "-o", "t"], 64),
        ] as [([String], Int32)]) func refusals(arguments: [String], status: Int32)
    {
        let outcome = command.run(["encode"] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("nearby-modem: "))
        #expect(outcome.output.isEmpty)
        #expect(command.directory.names == [])
    }

    @Test func aRateTooLowSaysWhichWouldDo() {
        let outcome = command.run("encode", "--text", "x", "--rate", "32000", "-o", "t.wav")
        #expect(outcome.errors.contains("32000 Hz cannot hold 18.5–20.0 kHz; 44100 or 48000 Hz would do"))
    }

    /// A link to a file that does not exist yet stays a link, and that file is made.
    @Test(arguments: ["t.wav", "./t.wav", "ABSOLUTE/t.wav", "second"])
    func aLinkToNothing(destination: String) throws {
        let directory = command.directory
        let destination = destination.replacing("ABSOLUTE", with: directory.path)
        try #require(symlink(destination, directory.file("link.wav")) == 0)
        try #require(symlink("t.wav", directory.file("second")) == 0)
        let outcome = command.run("encode", "--text", "x", "-o", "link.wav")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(Set(directory.names) == ["link.wav", "second", "t.wav"])
        var status = stat()
        #expect(lstat(directory.file("link.wav"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(command.run("decode", "t.wav").status == 0)
    }

    /// The folder is found by bytes, even for a name that begins with an accent. Here it is missing.
    @Test func aNameThatBeginsWithAnAccent() {
        let outcome = command.run("encode", "--text", "x", "-o", "/dev/shm/nowhere.d/\u{301}x")
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains("no such directory; create it first"), "\(outcome.errors)")
    }

    /// The command is killed while it waits for more of the programme, and leaves nothing behind.
    @Test func killedHalfWay() throws {
        let fifo = command.directory.file("programme")
        try #require(mkfifo(fifo, 0o600) == 0)
        let process = command.start(
            ["encode", "--text", "x", "--mix", "programme", "-o", "t.wav"], input: "/dev/null")
        let writer = open(fifo, O_WRONLY)
        let format = AudioFormat(sampleRateHz: 48000, channelCount: 1, frameCount: nil)
        let programme = try WAVWriter(AudioPath("/proc/self/fd/\(writer)"), format: format)
        try programme.write(AudioBlock(mono: [Float](repeating: 0, count: 200_000)))
        kill(process, SIGKILL)
        #expect(command.wait(process) == 128 + SIGKILL)
        close(writer)
        #expect(command.directory.names == [".errors", ".output", "programme"])
    }
}
