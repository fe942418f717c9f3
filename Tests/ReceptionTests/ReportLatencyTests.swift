import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of the time from a frame's last sample to its report, with a receiver that is fed 10 ms at a time.
/// Each prints its measurement.
@Suite struct ReportLatencyTests {
    struct Point: Sendable, CustomTestStringConvertible {
        var profile: WaveformProfile
        /// The SNR in the band.
        var snrDecibels: Double
        var frames = 40
        /// The bound of the 99th percentile.
        var mostSeconds: Double
        /// The direct-to-reverberant ratio of a room with RT60 0.4 s; `nil` in the open.
        var drrDecibels: Double?

        var testDescription: String {
            "\(profile.name) at \(snrDecibels) dB" + (drrDecibels.map { ", room of DRR \($0) dB" } ?? "")
        }
    }

    static let points = [
        Point(profile: .dsss, snrDecibels: 40, mostSeconds: 0.1),
        Point(profile: .dsss, snrDecibels: 20, mostSeconds: 0.1),
        Point(profile: .dsss, snrDecibels: 8, mostSeconds: 0.1),
        Point(profile: .dsss, snrDecibels: 20, mostSeconds: 0.1, drrDecibels: -4),
        Point(profile: .dsssQuick, snrDecibels: 20, mostSeconds: 0.1),
        Point(profile: .dsssQuick, snrDecibels: 10, mostSeconds: 0.1),
        Point(profile: .dsssFar, snrDecibels: 20, frames: 16, mostSeconds: 0.1),
        Point(profile: .fsk, snrDecibels: 20, frames: 16, mostSeconds: 7),
        Point(profile: .fskLong, snrDecibels: 20, frames: 16, mostSeconds: 7),
    ]

    @Test(arguments: points) func aTokenIsReportedSoonAfterItsFrame(point: Point) throws {
        let latencies = try latencies(point).sorted()
        try #require(latencies.count == point.frames, "each frame once")
        let median = latencies[latencies.count / 2]
        let late = latencies[Int((0.99 * Double(latencies.count - 1)).rounded(.up))]
        print(
            "report latency, \(point.testDescription): 50 % \(milliseconds(median)) ms, 99 % \(milliseconds(late)) ms, "
                + "most \(milliseconds(latencies.last!)) ms")
        #expect(late <= point.mostSeconds)
    }

    /// There are loud frames, one of them cut off, whose reports come between others.
    @Test func promptReportsDoNotDependOnChunks() throws {
        let profiles: [WaveformProfile] = [.dsss, .dsssQuick, .dsssFar]
        var noise = NoiseSource(seed: 43)
        var samples = noise.samples(16 * 48_000, sigma: 0.3)
        for (index, second) in [0.5, 1.2, 3.1, 4.9, 6.5, 9.2].enumerated() {
            let waveform = try Transmitter(profile: profiles[index % 3], lane: index % 4)
                .waveform(of: [UInt8](repeating: UInt8(index + 1), count: 8))
            for i in waveform.indices.dropLast(index == 4 ? 9000 : 0) {
                samples[Int(second * 48_000) + i] += waveform[i]
            }
        }
        samples = samples.map { 0.05 * $0 }
        var whole = Receiver(profiles: profiles)
        let expected = whole.process(samples) + whole.finish()
        #expect(Set(expected.map { $0.token[0] }).isSuperset(of: [1, 2, 3, 4, 6]))
        #expect(Set(expected.map(\.token)).count == expected.count, "each once")
        for chunk in [77, 480, 100_003] {
            var receiver = Receiver(profiles: profiles)
            var reports: [DecodeReport] = []
            for start in stride(from: 0, to: samples.count, by: chunk) {
                reports += receiver.process(Array(samples[start..<min(start + chunk, samples.count)]))
            }
            #expect(reports + receiver.finish() == expected, "chunks of \(chunk)")
        }
    }

    private func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }

    /// Returns the latencies in one stream of noise with frames at random places, each from a sender of some
    /// speed.
    private func latencies(_ point: Point) throws -> [Double] {
        var random = SplitMix64(seed: 41)
        let bandHz = point.profile.bandHz.upperBound - point.profile.bandHz.lowerBound
        let noisePower = 0.5 * Receiver.sampleRateHz / 2 / bandHz / pow(10, point.snrDecibels / 10)
        var noise = NoiseSource(seed: 42)
        var receiver = Receiver(profiles: [point.profile])
        var ends: [[UInt8]: Int] = [:]
        var latencies: [Double] = []
        var position = 0
        var waiting: [Float] = []
        for frame in 0...point.frames {
            let gap = Int((1 + random.nextUnit()) * Receiver.sampleRateHz)
            var samples = noise.samples(gap, sigma: Float(noisePower.squareRoot()))
            if frame < point.frames {
                let token = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                let compression = 1 + (3 * random.nextUnit() - 1.5) / 343
                let waveform = try Transmitter(profile: point.profile, sampleRateHz: 48_000 / compression)
                    .waveform(of: token, delaySamples: random.nextUnit())
                ends[token] = position + waiting.count + gap + waveform.count
                let room = point.drrDecibels.map {
                    ReverberantRoom(
                        rt60Seconds: 0.4, drrDecibels: $0, sampleRateHz: 48_000, seed: random.next())
                }
                let received = room?.apply(to: waveform) ?? waveform
                let loud = noise.samples(received.count, sigma: Float(noisePower.squareRoot()))
                samples += zip(received, loud).map { $0 + $1 }
            } else {
                samples += noise.samples(
                    Int(8 * Receiver.sampleRateHz), sigma: Float(noisePower.squareRoot()))
            }
            waiting += samples.map { 0.05 * $0 }
            var used = 0
            while waiting.count - used >= 480 {
                position += 480
                for report in receiver.process(Array(waiting[used..<used + 480])) {
                    let end = try #require(ends[report.token])
                    latencies.append(Double(position - end) / Receiver.sampleRateHz)
                }
                used += 480
            }
            waiting.removeFirst(used)
        }
        return latencies
    }
}
