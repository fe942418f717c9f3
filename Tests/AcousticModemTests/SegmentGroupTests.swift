import AcousticModem
import ChannelSim
import Testing

/// Tests that profiles that share their clusters, and therefore a field, hear their own frames and none of
/// the other's.
@Suite struct SegmentGroupTests {
    /// The frame is 20 dB over the noise in its band. Its cost for the receiver of the other profile is
    /// bounded: 204 list decodings of a `dsss-far` frame, none of a `dsss` one.
    @Test(arguments: [(WaveformProfile.dsss, WaveformProfile.dsssFar, 0), (.dsssFar, .dsss, 250)])
    func aFrameIsItsOwnProfiles(sent: WaveformProfile, other: WaveformProfile, mostDecodings: Int) throws {
        let token: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
        var samples = [Float](repeating: 0, count: 48_000)
        samples += try Transmitter(profile: sent).waveform(of: token).map { 0.4 * $0 }
        samples += samples.prefix(48_000)
        var noise = NoiseSource(seed: 3)
        // The frame's power is 0.08, of which 24 000 / 1500 times the hundredth is that of the noise.
        let sigma = (0.08 * 16 / 100 as Float).squareRoot()
        for (i, value) in noise.samples(samples.count, sigma: sigma).enumerated() { samples[i] += value }

        let both = heard(samples, [.dsss, .dsssFar])
        #expect(both.reports.map { $0.token } == [token])
        #expect(both.reports.first?.profile == sent)
        let foreign = heard(samples, [other])
        #expect(foreign.reports.isEmpty)
        #expect(foreign.decodings <= mostDecodings)
    }

    private func heard(
        _ samples: [Float], _ profiles: [WaveformProfile]
    ) -> (reports: [DecodeReport], decodings: Int64) {
        var receiver = Receiver(profiles: profiles)
        let reports = receiver.process(samples) + receiver.finish()
        return (reports, receiver.statistics.decodings)
    }
}
