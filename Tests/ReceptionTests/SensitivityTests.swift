import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of points of the curves with fixed seeds, short enough for every test run. A receiver at its
/// committed success rate falls under each bound once in a thousand times (binomial).
@Suite struct SensitivityTests {
    struct Point: Sendable, CustomTestStringConvertible {
        var profile: WaveformProfile
        var ebN0Decibels: Double
        var frames: Int
        var leastHeard: Int
        var rt60Seconds: Double?
        /// The noise before each frame, beyond two seconds. After twenty a receiver searches only starts with
        /// enough energy.
        var leadSeconds = 0

        var testDescription: String { "\(profile.name) at \(ebN0Decibels) dB after \(leadSeconds) s" }
    }

    static let points = [
        // 96 % at 3.5 dB: 40 frames, P(< 33) ≈ 0.0003.
        Point(profile: .dsss, ebN0Decibels: 3.5, frames: 40, leastHeard: 33),
        // 95 % at 4.8 dB.
        Point(profile: .dsssQuick, ebN0Decibels: 4.8, frames: 40, leastHeard: 32),
        // 95 % at 5 dB.
        Point(profile: .dsssFar, ebN0Decibels: 5, frames: 12, leastHeard: 8),
        // 95 % at 7.5 dB, RT60 0.3 s, DRR 0 dB.
        Point(profile: .dsss, ebN0Decibels: 7.5, frames: 30, leastHeard: 23, rt60Seconds: 0.3),
        Point(profile: .dsss, ebN0Decibels: 3.5, frames: 40, leastHeard: 33, leadSeconds: 24),
        Point(
            profile: .dsss, ebN0Decibels: 7.5, frames: 30, leastHeard: 23, rt60Seconds: 0.3, leadSeconds: 24),
    ]

    @Test(arguments: points) func hearsAsFarAsBefore(point: Point) throws {
        var random = SplitMix64(seed: 2026)
        var heard = 0
        var wrong = 0
        for _ in 0..<point.frames {
            let token = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let speed = point.rt60Seconds == nil ? 3 * random.nextUnit() - 1.5 : 0
            let compression = 1 + speed / 343 + (2 * random.nextUnit() - 1) * 1e-4
            let clean = try Transmitter(profile: point.profile, sampleRateHz: 48_000 / compression)
                .waveform(of: token, delaySamples: random.nextUnit())
            let sigma = noiseSigma(under: clean, ebN0Decibels: point.ebN0Decibels)
            var received = clean
            if let rt60 = point.rt60Seconds {
                let room = ReverberantRoom(
                    rt60Seconds: rt60, drrDecibels: 0, sampleRateHz: 48_000, seed: random.next())
                received = room.apply(to: clean)
            }
            var noise = NoiseSource(seed: random.next())
            let lead = point.leadSeconds * 48_000
            var samples = noise.samples(lead + received.count + 96_000, sigma: sigma)
            let start = lead + Int(random.nextUnit() * 90_000)
            for i in received.indices { samples[start + i] += received[i] }
            var receiver = Receiver(profiles: [point.profile])
            let tokens = (receiver.process(samples.map { $0 * 0.05 }) + receiver.finish()).map(\.token)
            heard += tokens.contains(token) ? 1 : 0
            wrong += tokens.contains { $0 != token } ? 1 : 0
        }
        #expect(heard >= point.leastHeard)
        #expect(wrong == 0)
    }
}
