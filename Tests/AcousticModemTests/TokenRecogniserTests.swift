import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of tokens that are renewed by frames too faint to be decoded.
@Suite struct TokenRecogniserTests {
    private static let token: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    private static let other: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]

    /// A frame of a token at a level over that of white noise.
    private struct Frame {
        var token = TokenRecogniserTests.token
        var lane = 1
        /// Its place at the standard pace.
        var place: Double
        var ebN0Decibels: Double
    }

    private static func second(ofPlace place: Double) -> Double {
        0.9 + place * DSSSProfile.dsss.repeatPeriodSeconds
    }

    private static func sound(
        _ frames: [Frame], seconds: Double, rt60Seconds: Double? = nil, seed: UInt64
    ) throws -> [Float] {
        let sigma: Float = 0.05
        var noise = NoiseSource(seed: seed)
        var samples = noise.samples(Int(seconds * 48_000), sigma: sigma)
        for frame in frames {
            let waveform = try Transmitter(profile: .dsss, lane: frame.lane).waveform(of: frame.token)
            let energy = waveform.reduce(0) { $0 + Double($1 * $1) }
            // The density of real noise at its variance: half of it a sample.
            let wanted = pow(10, frame.ebN0Decibels / 10) * 64 * 2 * Double(sigma * sigma)
            let gain = Float((wanted / energy).squareRoot())
            var arrived = waveform
            if let rt60Seconds {
                arrived = ReverberantRoom(
                    rt60Seconds: rt60Seconds, drrDecibels: 0, sampleRateHz: 48_000, seed: seed
                ).apply(to: waveform)
            }
            let first = Int(second(ofPlace: frame.place) * 48_000)
            for i in arrived.indices where first + i < samples.count {
                samples[first + i] += gain * arrived[i]
            }
        }
        return samples
    }

    private static func reports(
        _ samples: [Float], renewsTokens: Bool = true, chunk: Int = 4800
    ) -> [DecodeReport] {
        var receiver = Receiver(
            profiles: [.dsss], options: ReceiverOptions(renewsTokens: renewsTokens))
        var reports: [DecodeReport] = []
        for first in stride(from: 0, to: samples.count, by: chunk) {
            reports += receiver.process(Array(samples[first..<min(first + chunk, samples.count)]))
        }
        return reports + receiver.finish()
    }

    /// Frames 4 dB below the threshold renew their token, each at its place: at least 9 of 12 from fixed
    /// seeds, where 11 do. A receiver that was not asked reports none, and chunks change nothing.
    @Test(arguments: [nil, 0.3])
    func faintFramesRenewTheirToken(rt60Seconds: Double?) throws {
        let faint = rt60Seconds == nil ? -1.0 : 2
        let frames =
            [Frame(place: 0, ebN0Decibels: 15), Frame(place: 1, ebN0Decibels: 15)]
            + (2..<14).map { Frame(place: Double($0), ebN0Decibels: faint) }
        let samples = try Self.sound(frames, seconds: 23, rt60Seconds: rt60Seconds, seed: 4)
        let reports = Self.reports(samples)
        let renewals = reports.filter { $0.isRenewal }
        #expect(reports.allSatisfy { $0.token == Self.token && $0.lane == 1 })
        #expect(renewals.count >= 9, "\(renewals.count)")
        for renewal in renewals {
            let place = (renewal.startSeconds - 0.9) / DSSSProfile.dsss.repeatPeriodSeconds
            #expect(abs(place - place.rounded()) * DSSSProfile.dsss.repeatPeriodSeconds < 0.002)
            #expect(place.rounded() >= 2 && abs(Double(renewal.ebN0Decibels) - faint) < 3.5)
        }
        #expect(Set(renewals.map { Int($0.startSeconds) }).count == renewals.count)
        #expect(Self.reports(samples, renewsTokens: false) == reports.filter { !$0.isRenewal })
        #expect(Self.reports(samples, chunk: 1111) == reports)
    }

    /// A token whose sender has left is not renewed: not by noise, and not by another token's strong frames
    /// at the same pace and on the same lane, whose pilots are the same.
    @Test func whoHasLeftIsNotRenewed() throws {
        let frames =
            [Frame(place: 0, ebN0Decibels: 15), Frame(place: 1, ebN0Decibels: 15)]
            + (2..<8).map {
                Frame(token: Self.other, place: Double($0), ebN0Decibels: 12 + 4 * Double($0 % 4))
            }
        let reports = Self.reports(try Self.sound(frames, seconds: 30, seed: 5))
        #expect(reports.allSatisfy { !$0.isRenewal })
        #expect(
            reports.count { $0.token == Self.token } == 2 && reports.count { $0.token == Self.other } == 6)
    }

    /// One frame shows no pace. Two at another distance do not, either; three at the same distance do.
    @Test(arguments: [(1, 1.7, 0), (2, 1.7, 0), (3, 1.7, 3)])
    func theFramesOfAnyPace(strong: Int, pace: Double, renewed: Int) throws {
        let frames = (0..<strong + 3).map {
            Frame(place: pace * Double($0), ebN0Decibels: $0 < strong ? 15 : -1.5)
        }
        let reports = Self.reports(try Self.sound(frames, seconds: 18, seed: 6))
        #expect(reports.count { $0.isRenewal } == renewed)
    }

    /// Sound that was lost is time: the pace goes on through it.
    @Test func thePaceGoesOnThroughAGap() throws {
        let frames =
            [Frame(place: 0, ebN0Decibels: 15), Frame(place: 1, ebN0Decibels: 15)]
            + (2..<24).map { Frame(place: Double($0), ebN0Decibels: 0) }
        let samples = try Self.sound(frames, seconds: 36, seed: 7)
        var receiver = Receiver(profiles: [.dsss], options: ReceiverOptions(renewsTokens: true))
        let (first, second) = (5 * 48_000, 30 * 48_000)
        var reports = receiver.process(Array(samples[..<first]))
        reports += receiver.skip(frames: Int64(second - first))
        reports += receiver.process(Array(samples[second...])) + receiver.finish()
        let renewals = reports.filter { $0.isRenewal && $0.startSeconds > 30 }
        #expect(renewals.count >= 2, "\(reports.map { $0.startSeconds })")
    }

    /// Another view of a frame, and a frame reported late, leave the pace as it is.
    @Test func viewsOfOneFrameAreOne() {
        let rateHz = DSSSProfile.dsss.band.rateHz
        let period = DSSSProfile.dsss.repeatPeriodSeconds * rateHz
        let report = DecodeReport(
            token: Self.token, profile: .dsss, startSample: 0, snrDecibels: 0, ebN0Decibels: 0,
            speedMetersPerSecond: 0, repeats: 1, lane: 0)
        var sender = KnownSender(report, .dsss, start: 1000)
        #expect(sender.expectedStart == nil)
        sender.heard(report, start: 1001)
        sender.heard(report, start: 1000 + 2 * period)
        sender.heard(report, start: 1000 + 2 * period + 3)
        sender.heard(report, start: 1000 + period)
        #expect(sender.expectedStart == 1000 + 3 * period)
        sender.missed()
        #expect(sender.expectedStart == 1000 + 4 * period)
        sender.recognised(start: 1010 + 4 * period)
        #expect(sender.expectedStart == 1010 + 5 * period)
    }
}
