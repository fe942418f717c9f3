import AcousticModem
import AudioIO
import Glibc
import TestSupport
import Testing

@testable import nearby_modem

@Suite struct MixTests {
    let command = Command()

    func write(
        _ channels: [[Float]], to name: String, rate: Int = 48000, encoding: SampleEncoding = .pcm16
    ) throws {
        let format = AudioFormat(sampleRateHz: rate, channelCount: channels.count)
        let writer = try WAVWriter(
            AudioPath(command.directory.file(name)), format: format, encoding: encoding)
        var block = AudioBlock(channelCount: channels.count, capacity: channels[0].count)
        block.resize(to: channels[0].count)
        for (index, samples) in channels.enumerated() {
            block.withMutableChannel(index) { for n in $0.indices { $0[n] = samples[n] } }
        }
        try writer.write(block)
        try writer.finish()
    }

    func read(_ name: String) throws -> (format: AudioFormat, channels: [[Float]]) {
        let reader = try WAVReader(AudioPath(command.directory.file(name)))
        var block = AudioBlock(
            channelCount: reader.format.channelCount, capacity: reader.format.frameCount ?? 0)
        _ = try reader.read(into: &block)
        return (reader.format, (0..<block.channelCount).map { block.withChannel($0) { Array($0) } })
    }

    /// A 440 Hz tone.
    func tone(_ amplitude: Float, seconds: Float, rate: Float = 48000) -> [Float] {
        (0..<Int(seconds * rate)).map { amplitude * sinf(2 * .pi * 440 * Float($0) / rate) }
    }

    @Test(arguments: [(1, 48000), (2, 44100), (6, 96000)]) func keepsRateChannelsAndLength(
        channelCount: Int, rate: Int
    ) throws {
        let programme = tone(0.3, seconds: 3, rate: Float(rate))
        try write([[Float]](repeating: programme, count: channelCount), to: "p.wav", rate: rate)
        let outcome = command.run("encode", "--text", "x", "--mix", "p.wav", "-o", "t.wav")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "nearby-modem: token level -6.0 dBFS throughout\n")
        let (format, channels) = try read("t.wav")
        #expect(
            format
                == AudioFormat(sampleRateHz: rate, channelCount: channelCount, frameCount: programme.count))
        // Less the programme, it is the token at −6 dBFS, and after it the programme alone.
        let waveform = try Transmitter(profile: .dsss, sampleRateHz: Double(rate)).waveform(of: [120])
        let gain = powf(10, -6 / 20)
        let original = try read("p.wav").channels[0]
        for channel in channels {
            let error = waveform.indices.map { abs(channel[$0] - original[$0] - gain * waveform[$0]) }.max()
            #expect(error ?? 1 <= 0x1p-15)
            let isUntouched = channel[waveform.count...] == original[waveform.count...]
            #expect(isUntouched)
        }
    }

    /// Near full scale the token gives way and nothing clips.
    @Test func neverClips() throws {
        let quiet = tone(0.2, seconds: 0.5)
        let loud = tone(0.99, seconds: 1)
        try write([quiet + loud], to: "p.wav")
        let outcome = command.run(
            "encode", "--text", "x", "--level", "-3", "--mix", "p.wav", "-o", "t.wav")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("asked -3.0 dBFS"))
        let mixed = try read("t.wav").channels[0]
        #expect(mixed.allSatisfy { abs($0) < 32767 / 32768 })
        let original = try read("p.wav").channels[0]
        let early = zip(mixed, original)[2000..<20000].map { abs($0 - $1) }.max() ?? 0
        #expect(early > 0.69 && early < 0.72)
        let late = zip(mixed, original)[30000...].map { abs($0 - $1) }.max() ?? 1
        #expect(late > 0.002 && late < 0.02)
    }

    @Test func aShortProgrammeIsFollowedBySilence() throws {
        try write([tone(0.1, seconds: 0.1)], to: "p.wav", encoding: .pcm24)
        #expect(
            command.run("encode", "--text", "x", "--repeat", "2", "--mix", "p.wav", "-o", "t.wav").status == 0
        )
        let waveform = try Transmitter(profile: .dsss).waveform(of: [120])
        #expect(try read("t.wav").format.frameCount == 2 * waveform.count + 9600)
        #expect(command.directory.names == ["p.wav", "t.wav"])
    }

    @Test func aProgrammeThatCannotHoldTheBand() throws {
        try write([tone(0.1, seconds: 0.1)], to: "p.wav", rate: 22050)
        let outcome = command.run("encode", "--text", "x", "--mix", "p.wav", "-o", "t.wav")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("p.wav: at 22050 Hz it cannot hold 18.5–20.0 kHz; resample it"))
        #expect(command.directory.names == ["p.wav"])
    }

    /// Against the definition.
    @Test(arguments: [1, 3, 10, 200]) func leastOfAWindow(reach: Int) {
        let values = (0..<100).map { Float(($0 * 7919) % 101) }
        let expected = values.indices.map { n in
            values[max(0, n - reach)...min(values.count - 1, n + reach)].min()!
        }
        #expect(LevelEnvelope.least(values, reach: reach) == expected)
    }

    @Test func theEnvelopeStaysBelowTheRoom() {
        var samples = [Float](repeating: 0, count: 9600)
        for n in [0, 100, 4000, 4001, 9599] { samples[n] = 0.9 }
        samples[7000] = -2
        let gains = LevelEnvelope.gains(under: AudioBlock(mono: samples), limit: 0.5, sampleRateHz: 48000)
        #expect(gains.count == samples.count)
        for (gain, sample) in zip(gains, samples) { #expect(gain <= max(0, 1 - abs(sample)) && gain >= 0) }
        #expect(gains[2000] == 0.5 && gains[7000] < 1e-6)
        let steepest = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
        #expect(steepest < 0.5 / 240)
    }
}

extension Zip2Sequence where Sequence1 == [Float], Sequence2 == [Float] {
    fileprivate subscript(range: Range<Int>) -> [(Float, Float)] { Array(Array(self)[range]) }
    fileprivate subscript(range: PartialRangeFrom<Int>) -> [(Float, Float)] { Array(Array(self)[range]) }
}
