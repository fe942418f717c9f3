import AcousticModem
import AudioIO
import ChannelSim
import Foundation
import TestSupport
import Testing

/// Tests of `decode --renew`.
@Suite struct RenewalCommandTests {
    private let command = Command()

    /// Writes a recording of noise in which only the last channel has a token: two strong frames and three
    /// that are too faint to decode, at the standard pace.
    private func record(channelCount: Int) throws {
        let waveform = try Transmitter(profile: .dsss).waveform(of: Array("Hello".utf8))
        let period = WaveformProfile.dsss.durationSeconds() + WaveformProfile.standardGapSeconds
        let count = 9 * 48_000
        let sigma: Float = 0.02
        var noise = NoiseSource(seed: 9)
        var sound = noise.samples(count, sigma: sigma)
        // Eb is the energy of five bytes, of noise of density 2σ² a sample.
        let energy = waveform.reduce(0) { $0 + Double($1 * $1) }
        for place in 0..<5 {
            let ebN0Decibels = place < 2 ? 16.0 : -1
            let wanted = pow(10, ebN0Decibels / 10) * 40 * 2 * Double(sigma * sigma)
            let gain = Float((wanted / energy).squareRoot())
            let first = Int((0.9 + Double(place) * period) * 48_000)
            for i in waveform.indices { sound[first + i] += gain * waveform[i] }
        }
        var block = AudioBlock(channelCount: channelCount, capacity: count)
        block.resize(to: count)
        block.withMutableChannel(channelCount - 1) { for n in $0.indices { $0[n] = sound[n] } }
        let writer = try WAVWriter(
            AudioPath(command.directory.file("r.wav")),
            format: AudioFormat(sampleRateHz: 48_000, channelCount: channelCount))
        try writer.write(block)
        try writer.finish()
    }

    /// One channel; and nine, of which the last one is read a second time, in a group of its own.
    @Test(arguments: [1, 9]) func faintFramesRenewTheToken(channelCount: Int) throws {
        try record(channelCount: channelCount)
        let plain = command.run("decode", "r.wav", "--json")
        #expect(plain.lines.count == 2 && !plain.text.contains("renewal"))
        let renewed = command.run("decode", "--renew", "r.wav", "--json")
        #expect(renewed.lines.count >= 4, "\(renewed.text)")
        for line in renewed.lines.dropFirst(2) {
            #expect(line.contains(#""text":"Hello""#) && line.contains(#""renewal":true"#), "\(line)")
            #expect(line.hasSuffix(#""channel":\#(channelCount)}"#), "\(line)")
        }
        #expect(command.run("decode", "--renew", "r.wav").text.contains("renewed"))
    }
}
