import AcousticModem
import CNearbyModem
import ChannelSim
import Glibc
import NearbyModemC
import Signal
import Testing

/// Tests of several microphones, as C hears them.
@Suite struct ChannelTests {
    /// What a callback was told.
    private struct Told {
        var token: [UInt8]
        var channel: Int
        var startSeconds: Double
        var levelDBFS: Float
    }

    private static let token: [UInt8] = [0xca, 0xfe, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab]

    /// Returns interleaved frames: a `dsss` frame a second after the beginning, in each channel's own noise.
    ///
    /// - Parameter gains: each channel's gain of the frame.
    private static func sound(ebN0Decibels: Double, gains: [Float], seed: UInt64) throws -> [Float] {
        let waveform = try Transmitter(profile: .dsss).waveform(of: token)
        let perBit = waveform.reduce(0.0) { $0 + Double($1 * $1) } / Double(8 * token.count)
        let sigma = Float((perBit / pow(10, ebN0Decibels / 10) / 2).squareRoot())
        var random = SplitMix64(seed: seed)
        let channels = gains.map { gain in
            var source = NoiseSource(seed: random.next())
            var samples = source.samples(3 * 48_000, sigma: sigma)
            for i in waveform.indices { samples[48_000 + i] += gain * waveform[i] }
            return samples.map { 0.05 * $0 }
        }
        return channels[0].indices.flatMap { n in channels.map { $0[n] } }
    }

    private static func options(channel: UInt32, of count: UInt32) -> nbm_receiver_options {
        var options = nbm_receiver_options()
        options.size = MemoryLayout<nbm_receiver_options>.size
        (options.channel_count, options.channel, options.format) = (count, channel, NBM_FORMAT_FLOAT)
        return options
    }

    /// Returns what a receiver is told of the frames, and then of `skipped` lost ones and the same again.
    private static func told(
        _ sound: [Float], channel: UInt32, of count: Int, thenSkipping skipped: UInt64? = nil
    ) -> [Told] {
        var options = options(channel: channel, of: UInt32(count))
        var receiver: OpaquePointer?
        #expect(nbm_receiver_create(&options, &receiver) == NBM_OK)
        defer { nbm_receiver_destroy(receiver) }
        var told: [Told] = []
        let onToken: nbm_on_token = { context, report in
            let report = report!.pointee
            let token = UnsafeBufferPointer(start: report.token, count: report.token_bytes)
            context!.assumingMemoryBound(to: [Told].self).pointee.append(
                Told(
                    token: Array(token), channel: Int(report.channel), startSeconds: report.start_seconds,
                    levelDBFS: report.level_dbfs))
        }
        let frames = sound.count / count
        withUnsafeMutablePointer(to: &told) { told in
            #expect(nbm_receiver_push(receiver, sound, frames, onToken, told) == NBM_OK)
            if let skipped {
                #expect(nbm_receiver_skip(receiver, skipped, onToken, told) == NBM_OK)
                #expect(nbm_receiver_push(receiver, sound, frames, onToken, told) == NBM_OK)
            }
            #expect(nbm_receiver_finish(receiver, onToken, told) == NBM_OK)
        }
        return told
    }

    /// At 1 dB a microphone by itself hears 35 of 200 frames, and two of them together 198
    /// (`curve --microphones`): of 10, 7 or more and 7 or fewer have a chance of one in 3000 and one in 8000.
    @Test func twoHearWhatNeitherHears() throws {
        var counts = [0, 0]
        for seed in 1...10 {
            let sound = try Self.sound(ebN0Decibels: 1, gains: [1, 1], seed: UInt64(seed))
            for (index, channel) in [0, UInt32.max].enumerated() {
                let told = Self.told(sound, channel: channel, of: 2)
                #expect(told.count <= 1 && told.allSatisfy { $0.token == Self.token && $0.channel < 2 })
                counts[index] += told.count
            }
        }
        #expect(counts[0] <= 6 && counts[1] >= 8, "\(counts)")
    }

    /// A frame that all hear is told once, of the one that hears it best at first, with its level there.
    @Test func aFrameIsToldOnce() throws {
        let sound = try Self.sound(ebN0Decibels: 30, gains: [0.3, 1, 0.3], seed: 1)
        let all = Self.told(sound, channel: .max, of: 3)
        #expect(all.map(\.channel) == [1])
        let alone = Self.told(sound, channel: 1, of: 3)
        #expect(alone.map(\.channel) == [1] && alone[0].levelDBFS == all[0].levelDBFS)
        #expect(abs(all[0].startSeconds - 1) < 0.001)
    }

    /// Lost frames move every channel's clock on; the level is that of the sound before them.
    @Test func timeGoesOnForAll() throws {
        let sound = try Self.sound(ebN0Decibels: 30, gains: [1, 1], seed: 2)
        let told = Self.told(sound, channel: .max, of: 2, thenSkipping: 3_600 * 48_000)
        #expect(told.count == 2 && abs(told[0].startSeconds - 1) < 0.001)
        #expect(told.count == 2 && abs(told[1].startSeconds - 3604) < 0.001)
        #expect(told.count == 2 && abs(told[1].levelDBFS - told[0].levelDBFS) < 0.2)
    }

    @Test func channelsThatAreNotThereAreRefused() {
        for channel in [2, 8, UInt32.max - 1] {
            var options = Self.options(channel: channel, of: 2)
            var receiver: OpaquePointer?
            #expect(nbm_receiver_create(&options, &receiver) == NBM_ERROR_CHANNELS)
            #expect(receiver == nil)
        }
    }
}
