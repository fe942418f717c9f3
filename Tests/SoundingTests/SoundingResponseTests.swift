import ChannelSim
import Glibc
import Testing

@testable import Sounding

/// Tests of the response of speaker and microphone, its level, and the noise.
@Suite struct SoundingResponseTests {
    @Test func theSignalIsAsDescribed() {
        let samples = SoundingSignal().samples
        #expect(samples.count == 288_000)
        let peak = samples.reduce(Float(0)) { max($0, $1.magnitude) }
        #expect(peak <= Float(SoundingSignal.peak) && peak > 0.995)
        #expect(samples[..<36_000].allSatisfy { $0 == 0 } && samples[276_000...].allSatisfy { $0 == 0 })
        // There are no clicks: a step would leave energy under 15 kHz.
        let low = NoiseSpectrum(samples[...], sampleRateHz: 48_000)
        #expect(10 * log10(low.power(1000..<15_000) / low.power(16_000..<22_000)) < -60)
    }

    @Test(arguments: [44_100.0, 48_000, 96_000]) func aFlatPathIsFlat(rateHz: Double) throws {
        var room = SoundedRoom()
        room.sampleRateHz = rateHz
        let report = try room.report()
        // The resampler that makes the test's recordings is flat to 20.2 kHz if it goes to 44.1 kHz.
        for (band, value) in zip(SoundingBand.all, report.responseDecibels)
        where rateHz > 45_000 || band.upperBound <= 20_250 {
            #expect(abs(try #require(value)) < 0.3, "\(band)")
        }
        #expect(abs(try #require(report.tokenBandDecibels)) < 0.2)
        #expect(abs(try #require(report.receivedDBFS) - (-23.02)) < 0.3)
        #expect(abs(report.noiseDBFS + 80) < 1)
        #expect(abs(try #require(report.snrDecibels) - 56.98) < 1)
        #expect(abs(report.startSeconds - 1.75) < 0.001)
        #expect(report.steps.allSatisfy { $0.isLinear })
        #expect(report.rt60Seconds == nil && report.directToReverberantDecibels == nil)
        #expect(report.delaySpreadSeconds < 0.0005)
    }

    /// There are a tilt of −6 dB/kHz and a notch of 12 dB, in noise.
    @Test(arguments: [-80.0, -65]) func aKnownResponseIsRecovered(noiseDBFS: Double) throws {
        var room = SoundedRoom()
        room.noiseDBFS = noiseDBFS
        room.path.response = TransducerResponse(
            tiltDecibelsPerKilohertz: -6,
            notches: [.init(frequencyHz: 17_500, depthDecibels: 12, widthHz: 1500)])
        let report = try room.report()
        func expected(_ band: Range<Double>) -> Double {
            let values = stride(from: band.lowerBound + 5, to: band.upperBound, by: 10).map {
                pow(10, room.path.response.gainDecibels(atHz: $0) / 10)
            }
            return 10 * log10(values.reduce(0, +) / Double(values.count))
        }
        let reference = expected(SoundingBand.referenceHz)
        var worst = 0.0
        for (band, value) in zip(SoundingBand.all, report.responseDecibels) {
            worst = max(worst, abs(try #require(value) - (expected(band) - reference)))
        }
        #expect(worst < 1)
        let loss = try #require(report.tokenBandDecibels) - (expected(SoundingBand.tokensHz) - reference)
        #expect(abs(loss) < 0.5)
    }

    /// The speaker ends at 18 kHz: the token band is missing, and nothing is invented.
    @Test func aSpeakerThatEndsAt18() throws {
        var room = SoundedRoom()
        room.path.response = TransducerResponse(
            notches: [.init(frequencyHz: 20_500, depthDecibels: 90, widthHz: 2500)])
        let report = try room.report()
        #expect((report.tokenBandDecibels ?? -100) < -20)
        let edge = try #require(report.edges10Hz)
        #expect(edge.lowerBound == 16_000 && abs(edge.upperBound - 18_275) < 150, "\(edge)")
        #expect((report.snrDecibels ?? -100) < 35)
    }

    @Test(arguments: [-90.0, -70, -50]) func theNoiseIsMeasured(noiseDBFS: Double) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var room = SoundedRoom()
            room.noiseDBFS = noiseDBFS
            let report = try room.report(seed: seed)
            #expect(abs(report.noiseDBFS - noiseDBFS) < 1)
            #expect(abs(try #require(report.snrDecibels) - (-23.02 - noiseDBFS)) < 1.2)
        }
    }

    /// Hard clipping occurs at several levels, in noise, without any, and in a room.
    @Test(arguments: [(0.5, -6.0), (0.25, -12), (0.1, -20), (1.1, 0)])
    func clippingIsFound(limit: Float, linear: Double) throws {
        var room = SoundedRoom()
        room.player = { min(max($0, -limit), limit) }
        #expect(abs(try #require(try room.report().recommendedLevelDBFS) - linear) < 0.1)
        room.noiseDBFS = -.infinity
        #expect(abs(try #require(try room.report().recommendedLevelDBFS) - linear) < 0.1)
        room.noiseDBFS = -80
        room.path.room = .diffuse(rt60Seconds: 0.4, drrDecibels: 0)
        #expect(abs(try #require(try room.report().recommendedLevelDBFS) - linear) < 0.1)
    }

    /// tanh has 1 dB of compression where the sine's peak is 0.72 of its scale.
    @Test(arguments: [(1.0, -6.0), (2.0, 0), (0.5, -12)]) func softClippingIsFound(
        scale: Float, linear: Double
    ) throws {
        var room = SoundedRoom()
        room.player = { scale * tanh($0 / scale) }
        #expect(abs(try #require(try room.report().recommendedLevelDBFS) - linear) < 0.1)
    }

    /// The limiter takes 20 ms to act and 200 ms to release, and holds its peaks at 0.3: −12 dB is the last
    /// level that it passes.
    @Test func aLimiterIsFound() throws {
        var gain: Float = 1
        var room = SoundedRoom()
        var envelope: Float = 0
        let played = SoundingSignal().samples.map { x -> Float in
            let rate: Float = x.magnitude > envelope ? 1 / 100 : 1 / 9600
            envelope += (x.magnitude - envelope) * rate
            let wanted = min(1, 0.3 / max(envelope, 1e-6))
            gain += (wanted - gain) / 960
            return gain * x
        }
        var index = 0
        room.player = { _ in
            index += 1
            return played[index - 1]
        }
        #expect(abs(try #require(try room.report().recommendedLevelDBFS) + 12) < 0.1)
    }

    /// An automatic gain in the recorder goes 6 dB down and up again. The two loud sweeps disagree, and the
    /// report says so.
    @Test func aDriftIsTold() throws {
        let sound = SoundedRoom().recording().enumerated().map { $0 > 240_000 ? 0.5 * $1 : $1 }
        let report = try SoundingAnalysis(sound, sampleRateHz: 48_000).report()
        #expect(abs(try #require(report.driftDecibels) + 6.02) < 0.2)
    }

    /// The recorder clips at full scale. Clipped loud sweeps are counted, and clipped quiet ones are an
    /// error.
    @Test func theRecorderClips() throws {
        var room = SoundedRoom()
        func report(_ gainDecibels: Double) throws -> SoundingReport {
            room.gainDecibels = gainDecibels
            let cut = room.recording().map { min(max($0, -1), 1) }
            return try SoundingAnalysis(cut, sampleRateHz: 48_000).report()
        }
        #expect(try report(-3).clippedSampleCount == 0)
        let loud = try report(10)
        #expect(loud.clippedSampleCount > 10_000 && loud.recommendedLevelDBFS.map { $0 < -11 } == true)
        #expect { try report(30) } throws: { error in
            guard case SoundingError.clipped = error else { return false }
            return true
        }
    }
}
