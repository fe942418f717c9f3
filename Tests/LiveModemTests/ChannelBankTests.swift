import AcousticModem
import AudioIO
import Signal
import Testing

@testable import LiveModem

@Suite struct ChannelBankTests {
    private static let format = AudioFormat(sampleRateHz: 48_000, channelCount: 3)
    private static let profiles: [WaveformProfile] =
        [.dsssQuick, .dsss, .dsssFar, .fsk, .fskLong] + WaveformProfile.ggwave

    /// Returns three channels: noise with a frame of each family at 1, 3 and 5 s, noise with all at once, and
    /// noise with none.
    private static func sound() throws -> [[Float]] {
        var random = SplitMix64(seed: 11)
        var channels = (0..<format.channelCount).map { _ in
            (0..<12 * 48_000).map { _ in Float(0.07 * random.nextUnit() - 0.035) }
        }
        func add(_ profile: WaveformProfile, _ token: [UInt8], to channel: Int, atSeconds: Int) throws {
            for (n, sample) in try Transmitter(profile: profile).waveform(of: token).enumerated() {
                channels[channel][atSeconds * 48_000 + n] += 0.1 * sample
            }
        }
        try add(.dsss, [1, 2, 3, 4, 5, 6, 7, 8], to: 0, atSeconds: 1)
        try add(.fsk, [11, 12, 13, 14], to: 0, atSeconds: 3)
        try add(.named("ggwave-audible-fastest")!, [7, 7, 7], to: 0, atSeconds: 5)
        try add(.dsssQuick, [21, 22], to: 1, atSeconds: 2)
        try add(.dsssFar, [31, 32], to: 1, atSeconds: 2)
        try add(.fskLong, [41, 42, 43], to: 1, atSeconds: 2)
        return channels
    }

    /// Channels that take turns have the same results as each by itself, to the last bit. What is searched
    /// jointly adds to the counters alone.
    @Test func channelsHearAsTheyDoAlone() throws {
        let sound = try ChannelBankTests.sound()
        var bank = ChannelBank(
            profiles: ChannelBankTests.profiles, format: ChannelBankTests.format, channels: [1, 2, 3])
        var heard: [[DecodeReport]] = [[], [], []]
        var block = AudioBlock(channelCount: 3, capacity: 4096)
        for first in stride(from: 0, to: sound[0].count, by: block.capacity) {
            block.resize(to: min(block.capacity, sound[0].count - first))
            for channel in 0..<3 {
                block.withMutableChannel(channel) {
                    for n in $0.indices { $0[n] = sound[channel][first + n] }
                }
            }
            for sighting in bank.process(block) { heard[sighting.channel - 1].append(sighting.report) }
        }
        for sighting in bank.finish() { heard[sighting.channel - 1].append(sighting.report) }
        var statistics = ReceiverStatistics()
        for channel in 0..<3 {
            var alone = ChannelReceiver(profiles: ChannelBankTests.profiles, sampleRateHz: 48_000)
            var reports: [DecodeReport] = []
            for first in stride(from: 0, to: sound[channel].count, by: 4096) {
                sound[channel][first..<min(first + 4096, sound[channel].count)].withUnsafeBufferPointer {
                    reports += alone.process($0)
                }
            }
            reports += alone.finish()
            reports.sort { $0.startSample < $1.startSample }
            heard[channel].sort { $0.startSample < $1.startSample }
            #expect(reports == heard[channel], "channel \(channel + 1)")
            statistics.add(alone.statistics)
        }
        #expect(heard.map { $0.count } == [3, 3, 0])
        #expect(bank.statistics.samples == statistics.samples)
        #expect(bank.statistics.reports == statistics.reports)
        for (together, alone) in zip(bank.statistics.counters, statistics.counters) {
            #expect(together.count >= alone.count, "\(together.name)")
        }
    }
}
