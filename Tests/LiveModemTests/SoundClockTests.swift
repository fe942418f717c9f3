import AcousticModem
import AudioIO
import Signal
import Testing

@testable import LiveModem

@Suite struct SoundClockTests {
    private let periodFrames = 2400

    /// Blocks of 50 ms come up to 40 ms late, seed 1. The time of a frame is right within 5 ms, before,
    /// within and after 3 s without sound.
    @Test func timesAreRightAcrossAGap() throws {
        var random = SplitMix64(seed: 1)
        var clock = SoundClock(sampleRateHz: 48_000)
        #expect(clock.instant(ofFrame: 0) == nil)
        var frame = 0
        for block in 0..<400 {
            let missing = block == 200 ? 144_000 : 0
            frame += missing + periodFrames
            clock.add(
                frame: frame, instant: 1000 + Double(frame) / 48_000 + 0.04 * random.nextUnit(),
                missing: missing)
        }
        for second in stride(from: 0.5, to: 23, by: 0.37) {
            let instant = try #require(clock.instant(ofFrame: 48_000 * second))
            #expect((0...0.005).contains(instant - 1000 - second), "\(second) s")
        }
    }

    /// A gap's length is reported wrong by 0.3 s: each side keeps the times of its own blocks.
    @Test(arguments: [-14_400, 14_400]) func aGapPartsTheTimes(error: Int) throws {
        var clock = SoundClock(sampleRateHz: 48_000)
        var frame = 0
        for block in 0..<200 {
            let missing = block == 100 ? 144_000 + error : 0
            frame += missing + periodFrames
            let sounded = 0.05 * Double(block + 1) + (block < 100 ? 0 : 3)
            clock.add(frame: frame, instant: sounded, missing: missing)
        }
        let before = try #require(clock.instant(ofFrame: 4.9 * 48_000))
        #expect(abs(before - 4.9) < 1e-6)
        let after = try #require(clock.instant(ofFrame: 8.1 * 48_000 + Double(error)))
        #expect(abs(after - 8.1) < 1e-6)
    }

    /// The program stood still for 3 s. The waiting blocks come at once, and a token is reported before all
    /// of them have come.
    @Test func whatWaitedKeepsItsTime() throws {
        var clock = SoundClock(sampleRateHz: 48_000)
        for block in 1...100 { clock.add(frame: block * periodFrames, instant: 0.05 * Double(block)) }
        for block in 101...120 { clock.add(frame: block * periodFrames, instant: 8) }
        let instant = try #require(clock.instant(ofFrame: 5.5 * 48_000))
        #expect(abs(instant - 5.5) < 1e-6)
    }

    /// Blocks come for hours, and a minute of them is kept.
    @Test func memoryDoesNotGrow() throws {
        var clock = SoundClock(sampleRateHz: 48_000)
        for block in 1...100_000 { clock.add(frame: block * periodFrames, instant: 0.05 * Double(block)) }
        #expect(clock.pairCount < 3000)
        let instant = try #require(clock.instant(ofFrame: 4990 * 48_000))
        #expect(abs(instant - 4990) < 1e-6)
    }
}

@Suite struct MissingFrameTests {
    /// Frames that are missing before a block are silence in the history, and count.
    @Test func historiesKeepTime() {
        var history = SoundHistory(format: AudioFormat(sampleRateHz: 10, channelCount: 1), seconds: 1)
        var block = AudioBlock(mono: [1, 2, 3, 4])
        history.add(block)
        block.missingFrames = 3
        history.add(block)
        #expect(history.end == 11)
        #expect(history.channel(0, frames: 1..<11) == [2, 3, 4, 0, 0, 0, 1, 2, 3, 4])
        block.missingFrames = 1000
        history.add(block)
        #expect(history.end == 1015)
        #expect(history.channel(0, frames: 1005..<1015) == [0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    }

    /// Tokens come after 2 s, then 5 s, then an hour of lost sound, on both channels. Their times count the
    /// lost sound.
    @Test func receiversKeepTime() throws {
        let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2)
        let frame = try Transmitter(profile: .dsssQuick).waveform(of: [1, 2, 3])
        var receiver = MultichannelReceiver(profiles: [.dsssQuick], format: format)
        var (sightings, expected): ([ChannelSighting], [Double]) = ([], [])
        for missing in [0, 96_000, 240_000, 3600 * 48_000] {
            expected.append(Double(receiver.frameCount + missing) / 48_000)
            var block = AudioBlock(channelCount: 2, capacity: frame.count + 12_000)
            block.resize(to: block.capacity)
            for channel in 0..<2 {
                block.withMutableChannel(channel) { for n in frame.indices { $0[n] = frame[n] } }
            }
            block.missingFrames = missing
            sightings += receiver.process(block)
        }
        sightings += receiver.finish()
        #expect(sightings.count == expected.count)
        for (sighting, seconds) in zip(sightings, expected) {
            #expect(abs(sighting.report.startSeconds - seconds) < 0.001)
        }
    }
}
