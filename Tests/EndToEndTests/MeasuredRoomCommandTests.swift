import AudioIO
import TestSupport
import Testing

/// Tests of `channel --room measured:FILE` with recorded rooms.
@Suite struct MeasuredRoomCommandTests {
    private let command = Command()
    private let rateHz = 44_100

    init() throws {
        try #require(
            command.run("encode", "--token", "0102030405060708", "-o", "clean.wav").status == 0)
    }

    private func write(_ samples: [Float], to name: String) throws {
        let format = AudioFormat(sampleRateHz: rateHz, channelCount: 1, frameCount: samples.count)
        let writer = try WAVWriter(AudioPath(command.directory.file(name)), format: format)
        try writer.write(AudioBlock(mono: samples))
        try writer.finish()
    }

    private func channel(_ room: String) -> Command.Outcome {
        command.run("channel", "clean.wav", "-o", "out.wav", "--ebn0", "12", "--room", room)
    }

    /// The response has two paths, 10 ms and 50 ms late, and another rate than the token.
    @Test func tokensAreHeardThroughAResponse() throws {
        var response = [Float](repeating: 0, count: 4000)
        (response[441], response[2205]) = (0.4, -0.3)
        try write(response, to: "room.wav")
        #expect(channel("measured:room.wav").status == 0)
        #expect(command.run("decode", "out.wav").text.contains("0102030405060708"))
    }

    @Test func whatIsNoResponseIsRefused() throws {
        try write([Float](repeating: 0, count: 100), to: "silent.wav")
        try write([1] + [Float](repeating: 0, count: 21 * rateHz), to: "long.wav")
        try write([], to: "empty.wav")
        for (room, status, words) in [
            ("measured:none.wav", 66, "none.wav"), ("measured:silent.wav", 65, "one of them is silent"),
            ("measured:empty.wav", 65, "a header alone, without any sound"),
            ("measured:long.wav", 65, "at most 20 s, found 21 s"),
            ("measured:", 64, "--room"),
        ] as [(String, Int32, String)] {
            let outcome = channel(room)
            #expect(outcome.status == status, "\(room)")
            #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(command.directory.read("out.wav") == nil)
        }
    }
}
