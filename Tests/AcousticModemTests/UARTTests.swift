import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of `fsk2`, bytes as two tones, from one end to the other.
@Suite struct UARTTests {
    private static let settings: [UARTProfile] = {
        let near = try? UARTProfile(baud: 100, markHz: 18_500, spaceHz: 19_000)
        let slow = try? UARTProfile(baud: 50)
        return [.bell202, .bell103] + [near, slow].compactMap { $0 }
    }()

    private func hear(_ samples: [Float], _ profile: UARTProfile, chunk: Int = .max) -> [DecodeReport] {
        var receiver = Receiver(profiles: [WaveformProfile(profile)])
        var reports: [DecodeReport] = []
        for start in stride(from: 0, to: samples.count, by: min(chunk, max(1, samples.count))) {
            reports += receiver.process(
                Array(samples[start..<min(samples.count, start + min(chunk, samples.count))]))
        }
        return reports + receiver.finish()
    }

    /// Returns half a second of noise, the bytes in noise, and half a second of noise.
    private func recording(
        _ bytes: [UInt8], _ profile: UARTProfile, bitEnergyDecibels: Double, seed: UInt64 = 1
    ) throws -> [Float] {
        let waveform = try Transmitter(profile: WaveformProfile(profile)).waveform(of: bytes)
        let deviation = (Receiver.sampleRateHz / profile.baud / 4 / pow(10, bitEnergyDecibels / 10))
            .squareRoot()
        var noise = NoiseSource(seed: seed)
        var samples = noise.samples(waveform.count + 48_000, sigma: Float(deviation))
        for i in waveform.indices { samples[24_000 + i] += waveform[i] }
        return samples.map { $0 * 0.1 }
    }

    private func bytes(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 20) }
    }

    @Test(arguments: settings) func everyByteArrives(profile: UARTProfile) throws {
        let token = (0...255).map { UInt8($0) }
        let waveform = try Transmitter(profile: WaveformProfile(profile)).waveform(of: token)
        let reports = hear(waveform, profile)
        #expect(reports.map(\.token) == [token])
        let report = try #require(reports.first)
        #expect(!report.isChecked && report.startSample < 10 && report.repeats == 1 && report.lane == 0)
    }

    @Test(arguments: [5, 50], settings) func burstsInNoise(count: Int, profile: UARTProfile) throws {
        let token = bytes(count, seed: UInt64(count))
        let decibels = 20.0
        let reports = hear(try recording(token, profile, bitEnergyDecibels: decibels), profile)
        #expect(reports.map(\.token) == [token])
        let report = try #require(reports.first)
        #expect(abs(report.startSeconds - 0.5) < 0.25 / profile.baud)
        // The report has the energy of all bits on the line, for each bit of the token.
        let spent = 10 * log10(Double(10 * count + 4) / Double(8 * count))
        #expect(abs(Double(report.ebN0Decibels) - decibels - spent) < (count < 50 ? 6 : 3))
    }

    /// The sender's rate is 1 % off, and there is noise.
    @Test(arguments: [0.99, 1.01], settings) func otherClocks(scale: Double, profile: UARTProfile)
        throws
    {
        let token = bytes(60)
        let off = try UARTProfile(
            baud: profile.baud * scale, markHz: profile.markHz, spaceHz: profile.spaceHz)
        let reports = hear(try recording(token, off, bitEnergyDecibels: 20), profile)
        let right = zip(reports.flatMap(\.token), token).prefix { $0 == $1 }.count
        #expect(reports.map(\.token) == [token], "\(reports.map(\.token.count)), \(right) right")
    }

    /// Any chunks, a copy made midstream, and a louder sound give the same reports.
    @Test func chunksAndCopies() throws {
        let samples = try recording(bytes(40), .bell202, bitEnergyDecibels: 13)
        let expected = hear(samples, .bell202)
        #expect(expected.map(\.token) == [bytes(40)])
        for chunk in [1, 479, 4800] { #expect(hear(samples, .bell202, chunk: chunk) == expected) }
        #expect(hear(samples.map { $0 * -8 }, .bell202).map(\.token) == [bytes(40)])
        var original = Receiver(profiles: [.fsk2])
        var reports = original.process(Array(samples[..<30_000]))
        var copy = original
        let rest = original.process(Array(samples[30_000...])) + original.finish()
        #expect(copy.process(Array(samples[30_000...])) + copy.finish() == rest)
        reports += rest
        #expect(reports == expected)
    }

    /// A burst ends where its carrier does, also at 100 baud, where the gap is two bytes long.
    @Test(arguments: settings, [0.0, 0.02]) func burstsApart(profile: UARTProfile, sigma: Double) throws {
        let waveform = try Transmitter(profile: WaveformProfile(profile)).waveform(of: bytes(8))
        var noise = NoiseSource(seed: 3)
        let gap = Int(30 / profile.baud * Receiver.sampleRateHz)
        var samples = noise.samples(2 * (waveform.count + gap), sigma: Float(sigma))
        for start in [0, waveform.count + gap] {
            for i in waveform.indices { samples[start + i] += waveform[i] }
        }
        #expect(hear(samples, profile).map(\.token) == [bytes(8), bytes(8)])
    }

    /// A burst that is longer than a report holds comes in parts.
    @Test func longBurstsAreSplit() throws {
        let fast = try UARTProfile(baud: 2400)
        let most = UARTProfile.byteCounts.upperBound
        let token = bytes(most + 1000)
        let waveform = UARTModulator(profile: fast, sampleRateHz: 48_000).modulate(token)
        let reports = hear(waveform, fast)
        let heard = reports.flatMap(\.token)
        let isSame = heard == token
        #expect(isSame, "\(reports.map(\.token.count)), \(zip(heard, token).prefix { $0 == $1 }.count) right")
        #expect(reports.first?.token.count == most)
    }

    @Test(arguments: settings) func silenceTonesAndNoiseAreNothing(profile: UARTProfile) {
        #expect(hear([Float](repeating: 0, count: 48_000), profile).isEmpty)
        for tone in [profile.markHz, profile.spaceHz, 0.5 * (profile.markHz + profile.spaceHz)] {
            let sound = (0..<96_000).map { Float(sin(2 * .pi * tone / 48_000 * Double($0))) * 0.5 }
            let heard = hear(sound, profile).isEmpty ? nil : tone
            #expect(heard == nil)
        }
        var noise = NoiseSource(seed: 9)
        for _ in 0..<3 { #expect(hear(noise.samples(60 * 48_000, sigma: 0.1), profile).isEmpty) }
    }

    @Test func insaneSamples() {
        for value in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 16, .leastNonzeroMagnitude]
        {
            _ = hear([Float](repeating: value, count: 50_000), .bell202)
        }
    }

    @Test func refusedNumbers() {
        #expect(throws: UARTError.baud(9)) { try UARTProfile(baud: 9) }
        #expect(throws: UARTError.self) { try UARTProfile(baud: .nan) }
        #expect(throws: UARTError.self) { try UARTProfile(baud: 1200, markHz: 1200, spaceHz: 1200) }
        #expect(throws: UARTError.self) { try UARTProfile(baud: 1200, markHz: 100) }
        #expect(throws: UARTError.self) { try UARTProfile(baud: 1200, markHz: 23_000) }
        #expect(throws: UARTError.self) { try UARTProfile(baud: 1200, markHz: .infinity) }
        #expect(throws: TokenError.self) { try Transmitter(profile: .fsk2).waveform(of: []) }
        #expect(WaveformProfile.named("fsk2") == .fsk2 && !WaveformProfile.all.contains(.fsk2))
    }

    /// The tones are those that minimodem was measured to use.
    @Test(arguments: [
        (50, 1585, 1415), (99, 1585, 1415), (100, 1270, 1070), (399, 1270, 1070), (400, 800, 1133),
        (600, 900, 1400), (1200, 1200, 2200), (4800, 3000, 7000),
    ]) func tonesOfMinimodem(baud: Double, markHz: Double, spaceHz: Double) {
        let tones = UARTProfile.standardTones(baud: baud)
        #expect(tones.markHz == markHz && tones.spaceHz == spaceHz)
    }
}
