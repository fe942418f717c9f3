import TestSupport
import Testing

/// Tests of `channel`, the room between `encode` and `decode`.
@Suite struct ChannelCommandTests {
    private let command = Command()

    init() throws {
        try #require(
            command.run("encode", "--token", "0102030405060708", "-o", "clean.wav").status == 0)
    }

    /// The level is well above the receiver's threshold, and every impairment is on. The token, its start and
    /// its speed are found.
    @Test func roomsAreHeardThrough() throws {
        let channel = command.run(
            "channel", "clean.wav", "-o", "room.wav", "--ebn0", "12", "--speed", "-1.2", "--skew", "80",
            "--rt60",
            "0.3", "--drr", "3", "--tone", "15000:-10", "--lead", "1", "--trail", "1")
        #expect(channel.status == 0)
        #expect(channel.output.isEmpty)
        #expect(channel.errors.contains("Eb/N0 12.00 dB"))
        let heard = command.run("decode", "--json", "room.wav")
        #expect(heard.status == 0)
        #expect(heard.text.contains("\"token\":\"0102030405060708\""))
        #expect(heard.text.contains("\"startSeconds\":1.00") || heard.text.contains("\"startSeconds\":0.99"))
        #expect(heard.text.contains("\"speedMetersPerSecond\":-1.1") || heard.text.contains("-1.2"))
    }

    /// The token passes through each of the rooms and of the device's faults.
    @Test(arguments: [
        ["--rt60", "0.3", "--drr", "3", "--walk", "1"], ["--room", "image:0.2", "--speed", "random"],
        ["--tilt", "-8", "--notch", "19000:12", "--notch", "19500:10:50"],
        ["--agc", "3:0.3", "--dropout", "random:0.03", "--clicks", "3:10"],
        ["--cut-head", "0.04", "--tone", "random:-10", "--rate", "44100"],
    ])
    func channelsAreHeardThrough(arguments: [String]) {
        let channel = command.run(["channel", "clean.wav", "-o", "room.wav", "--ebn0", "18"] + arguments)
        #expect(channel.status == 0)
        #expect(command.run("decode", "room.wav").text.contains("0102030405060708"))
    }

    /// With 64 bits in 1.25 s, the three ratios differ as their definitions say (14.7 and 26.7 dB).
    @Test func saysWhatItMade() {
        let channel = command.run("channel", "clean.wav", "-o", "out.wav", "--snr", "-10")
        #expect(channel.errorLines.count == 3)
        #expect(channel.errors.contains("1.250 s on air, 64 bits"))
        #expect(channel.errors.contains("Eb/N0 4.67 dB; SNR -10.00 dB in 18.5-20 kHz, -22.04 dB in 0-24 kHz"))
        #expect(channel.errors.contains("recording attenuated by"))
    }

    @Test func sameSeedSameRecording() {
        for (name, seed) in [("a.wav", "5"), ("b.wav", "5"), ("c.wav", "6")] {
            let outcome = command.run(
                "channel", "clean.wav", "-o", name, "--ebn0", "3", "--rt60", "0.2", "--seed", seed)
            #expect(outcome.status == 0)
        }
        #expect(command.directory.read("a.wav") == command.directory.read("b.wav"))
        #expect(command.directory.read("a.wav") != command.directory.read("c.wav"))
    }

    @Test func quietChannelsKeepTheLength() {
        #expect(command.run("channel", "clean.wav", "-o", "same.wav", "--rate", "48000").status == 0)
        #expect(command.directory.read("same.wav")?.count == command.directory.read("clean.wav")?.count)
        #expect(command.run("decode", "same.wav").status == 0)
    }

    @Test(arguments: [
        (["--ebn0", "3", "--snr", "3"], 64, "either --ebn0 or --snr"),
        (["--ebn0", "nan"], 64, "--ebn0"),
        (["--speed", "400"], 64, "--speed must be -30 to 30 m/s"),
        (["--rt60", "0"], 64, "--rt60 must be 0.01 to 20 seconds"),
        (["--clip", "1"], 64, "--clip"),
        (["--bits", "0"], 64, "--bits"),
        (["--walk", "1"], 64, "--walk needs --rt60"),
        (["--room", "image:0.9"], 64, "--room must be 0.08 to 0.33 seconds"),
        (["--tilt", "1000"], 64, "--tilt must be -100 to 100 dB/kHz"),
        (["--dropout", "1"], 64, "--dropout"),
        (["--tone", "19000"], 64, "--tone"),
        (["--tone", "30000:0"], 64, "cannot hold"),
        (["--rate", "7"], 64, "--rate"),
        (["--programme", "none.wav:3"], 66, "none.wav"),
        (["--programme", "none.wav"], 64, "--programme"),
    ])
    func badRequestsAreRefused(arguments: [String], status: Int32, words: String) {
        let outcome = command.run(["channel", "clean.wav", "-o", "out.wav"] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(words))
        #expect(command.directory.read("out.wav") == nil)
    }

    @Test func badInputHasItsExitCode() {
        #expect(command.run("channel", "none.wav", "-o", "out.wav").status == 66)
        #expect(command.run("channel", "clean.wav", "-o", "none/out.wav").status == 73)
        #expect(command.run("encode", "--token", "01", "--level", "-90", "-o", "faint.wav").status == 0)
        command.directory.write([UInt8](repeating: 0, count: 1000), to: "zeros.wav")
        #expect(command.run("channel", "zeros.wav", "-o", "out.wav").status == 65)
    }
}
