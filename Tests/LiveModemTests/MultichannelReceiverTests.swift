import AcousticModem
import AudioIO
import Signal
import Testing

@testable import LiveModem

/// Tests of how the channels of live sound become one report for each token.
@Suite struct MultichannelReceiverTests {
    private static let rateHz = 48_000
    private static let token: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    /// Noise of some seconds with a frame at each of `starts`, in seconds.
    private static func sound(_ seconds: Int, seed: UInt64, gain: Float = 0.1, starts: [Double]) throws
        -> [Float]
    {
        var random = SplitMix64(seed: seed)
        var samples = (0..<seconds * rateHz).map { _ in Float(0.02 * random.nextUnit() - 0.01) }
        let frame = try Transmitter(profile: .dsssQuick).waveform(of: token)
        for start in starts {
            for (n, sample) in frame.enumerated() {
                samples[Int(start * Double(rateHz)) + n] += gain * sample
            }
        }
        return samples
    }

    /// Returns what is reported of two channels, and the counters.
    private static func hear(
        _ left: [Float], _ right: [Float], waitsForBest: Bool = false
    ) -> (sightings: [ChannelSighting], statistics: ReceiverStatistics) {
        var receiver = MultichannelReceiver(
            profiles: [.dsssQuick], format: AudioFormat(sampleRateHz: rateHz, channelCount: 2),
            waitsForBest: waitsForBest)
        var sightings: [ChannelSighting] = []
        var block = AudioBlock(channelCount: 2, capacity: 2400)
        for first in stride(from: 0, to: left.count, by: block.capacity) {
            block.resize(to: min(block.capacity, left.count - first))
            for (channel, samples) in [left, right].enumerated() {
                block.withMutableChannel(channel) { for n in $0.indices { $0[n] = samples[first + n] } }
            }
            sightings += receiver.process(block)
        }
        return (sightings + receiver.finish(), receiver.statistics)
    }

    /// One microphone on two channels is heard once, and costs what one does.
    @Test func twinsAreHeardOnce() throws {
        let sound = try Self.sound(6, seed: 1, starts: [1, 3.5])
        let (sightings, statistics) = Self.hear(sound, sound)
        #expect(sightings.map(\.report.token) == [Self.token, Self.token])
        #expect(sightings.allSatisfy { $0.channel == 1 })
        #expect(statistics.samples == Int64(sound.count))
    }

    /// A frame during which the channels cease to be the same is heard, once; so are those before it and
    /// after it. Silence at the beginning is the same on both.
    @Test(arguments: [0.2, 3.6, 5.6]) func twinsMayPart(atSeconds: Double) throws {
        let starts = [1, 3.5, 5.5, 8]
        let parting = Int(atSeconds * Double(Self.rateHz))
        let left = try Self.sound(10, seed: 2, starts: starts)
        let other = try Self.sound(10, seed: 3, gain: 0.2, starts: [5.5, 8])
        let right = Array(left[..<parting] + other[parting...])
        let (sightings, statistics) = Self.hear(left, right)
        #expect(sightings.count == starts.count)
        for (sighting, start) in zip(sightings, starts) {
            #expect(sighting.report.token == Self.token)
            #expect(abs(sighting.report.startSeconds - start) < 0.01)
        }
        #expect(statistics.samples > 2 * (left.count - parting))
    }

    /// A report comes at once, as that of a single channel does, unless the best channel is asked for.
    @Test func reportsComeAtOnce() throws {
        let left = try Self.sound(6, seed: 4, starts: [1])
        let right = try Self.sound(6, seed: 5, gain: 0.2, starts: [1])
        let end = Int((1 + WaveformProfile.dsssQuick.durationSeconds()) * Double(Self.rateHz))
        let heard = Self.hear(left, right).sightings
        #expect(heard.count == 1)
        #expect(heard[0].foundFrame < end + Self.rateHz / 5)
        let best = Self.hear(left, right, waitsForBest: true).sightings
        #expect(best.count == 1 && best[0].channel == 2)
    }

    /// Frames of one token a repeat period apart are not taken for one another, nor is what follows within
    /// the time for which reports are remembered.
    @Test func repeatsAreReported() throws {
        let starts = stride(from: 1, to: 8, by: 0.7).map { $0 }
        let left = try Self.sound(10, seed: 6, starts: starts)
        let right = try Self.sound(10, seed: 7, starts: starts)
        #expect(Self.hear(left, right).sightings.count == starts.count)
    }
}
