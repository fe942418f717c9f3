import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of frames that are taken out of the sound, and of those found beneath them.
@Suite struct FrameCancellerTests {
    private static func token(_ random: inout SplitMix64) -> [UInt8] {
        (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// A template is what the front end makes of the frame, but for a constant factor.
    @Test(arguments: [DSSSProfile.dsssQuick, .dsss, .dsssFar, .dsssWide], [0, 0.004])
    func aTemplateIsWhatTheFrontEndHears(profile: DSSSProfile, timeScale: Double) throws {
        let chips = try DSSSFrameEncoder(profile: profile, lane: 1).chips(of: [8, 7, 6, 5, 4, 3, 2, 1])
        let rateHz = Receiver.sampleRateHz / (1 + timeScale)
        let lead = 4803
        let sound =
            [Float](repeating: 0, count: lead)
            + DSSSModulator(profile: profile, sampleRateHz: rateHz).modulate(chips)
            + [Float](repeating: 0, count: 4800)
        var frontEnd = FrontEnd(band: profile.band)
        var heard: [Complex] = []
        sound.withUnsafeBufferPointer { frontEnd.process($0) }
        heard += frontEnd.baseband
        frontEnd.finish()
        heard += frontEnd.baseband
        let ramp = Double(profile.rampChipCount + 1) / profile.chipRateHz * rateHz
        let start = profile.band.basebandSample(Double(lead) + ramp)
        let template = FrameTemplate(profile: profile).samples(chips, start: start, timeScale: timeScale)
        let first = template.first - SamplePosition(0)
        var product = Complex.zero
        var (energy, sent): (Float, Float) = (0, 0)
        for (i, value) in template.samples.enumerated() {
            product += heard[first + i] * value.conjugate
            energy += heard[first + i].power
            sent += value.power
        }
        // All but 1 in 300 of the energy: the filters differ at the edges of the band.
        #expect(product.power / (energy * sent) > 0.9967)
    }

    /// Returns the sound of senders, each in a room of its own, in noise 20 dB under the first.
    private static func recording(
        of senders: [(token: [UInt8], lane: Int, second: Double, decibels: Double)], rt60Seconds: Double?,
        seconds: Double, seed: UInt64
    ) throws -> [Float] {
        var noise = NoiseSource(seed: seed)
        var samples = noise.samples(Int(seconds * 48_000), sigma: 0.07)
        for (index, sender) in senders.enumerated() {
            var waveform = try Transmitter(profile: .dsss, lane: sender.lane).waveform(of: sender.token)
            if let rt60Seconds {
                let room = ReverberantRoom(
                    rt60Seconds: rt60Seconds, drrDecibels: 0, sampleRateHz: 48_000,
                    seed: seed &+ UInt64(index))
                waveform = room.apply(to: waveform)
            }
            let gain = Float(pow(10, sender.decibels / 20))
            let first = Int(sender.second * 48_000)
            for i in waveform.indices where first + i < samples.count {
                samples[first + i] += gain * waveform[i]
            }
        }
        return samples.map { 0.05 * $0 }
    }

    private static func tokens(_ samples: [Float], chunk: Int = 4800) -> [[UInt8]] {
        var receiver = Receiver(profiles: [.dsss])
        var reports: [DecodeReport] = []
        for first in stride(from: 0, to: samples.count, by: chunk) {
            reports += receiver.process(Array(samples[first..<min(first + chunk, samples.count)]))
        }
        return (reports + receiver.finish()).map { $0.token }
    }

    /// A frame 18 dB below another one, and overlapping it anywhere, is heard: at least 18 of 20 from fixed
    /// seeds, where 20 are heard. Without the canceller none is.
    @Test func aFrameBeneathALouderOneIsHeard() throws {
        var random = SplitMix64(seed: 38)
        var heard = 0
        for trial in 0..<20 {
            let (loud, faint) = (Self.token(&random), Self.token(&random))
            let second = 1.5 + 1.8 * (random.nextUnit() - 0.5)
            let samples = try Self.recording(
                of: [(loud, trial % 4, 1.5, 0), (faint, (trial + 1) % 4, second, -18)], rt60Seconds: 0.3,
                seconds: 5, seed: random.next())
            let tokens = Self.tokens(samples)
            #expect(Set(tokens).isSubset(of: [loud, faint]) && tokens.count == Set(tokens).count)
            #expect(tokens.contains(loud))
            heard += tokens.contains(faint) ? 1 : 0
        }
        #expect(heard >= 18)
    }

    /// Sixteen senders who begin within two seconds are heard, each once: 15 are asked, 16 heard.
    @Test func aCrowdIsHeard() throws {
        var random = SplitMix64(seed: 16)
        let sent = (0..<16).map { index in
            (token: Self.token(&random), lane: index % 4, second: 0.5 + 2 * random.nextUnit(), decibels: 0.0)
        }
        let samples = try Self.recording(of: sent, rt60Seconds: nil, seconds: 6, seed: 5)
        let tokens = Self.tokens(samples)
        #expect(tokens.count >= 15 && tokens.count == Set(tokens).count)
        #expect(Set(tokens).isSubset(of: sent.map { $0.token }))
        for chunk in [480, 7001] { #expect(Self.tokens(samples, chunk: chunk) == tokens) }
    }

    /// A frame that sounds alone is heard once, however loud: nothing is heard in what is left of it.
    @Test(arguments: [0.0, -20, 20]) func whatIsLeftOfAFrameIsNoFrame(decibels: Double) throws {
        var random = SplitMix64(seed: 7)
        let token = Self.token(&random)
        let samples = try Self.recording(
            of: [(token, 2, 1, decibels)], rt60Seconds: 0.6, seconds: 4.5, seed: 3)
        #expect(Self.tokens(samples) == [token])
    }

    /// A canceller keeps a frame no longer than the sound that it stands in, and is asked about it once.
    @Test func framesAreForgotten() throws {
        var canceller = FrameCanceller(band: .nearUltrasonic)
        let report = DecodeReport(
            token: [1, 2, 3, 4, 5, 6, 7, 8], profile: .dsss, startSample: 48_000, snrDecibels: 3,
            ebN0Decibels: 18, speedMetersPerSecond: 0, repeats: 1, lane: 0)
        for _ in 0..<2 { canceller.note(report, skippedSamples: 0, after: 0) }
        #expect(canceller.frames.count == 1)
        #expect(canceller.takeDue(before: 3000).isEmpty)
        #expect(canceller.takeDue(before: 6000).count == 1)
        #expect(canceller.takeDue(before: 6000).isEmpty)
        canceller.drop(before: 4000)
        #expect(canceller.frames.count == 1)
        canceller.drop(before: 9000)
        #expect(canceller.frames.isEmpty)
    }
}
