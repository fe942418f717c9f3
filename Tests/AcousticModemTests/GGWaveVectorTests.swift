import ChannelSim
import TestSupport
import Testing

@testable import AcousticModem

/// Tests that we send what ggwave 0.4.3 sends, and hear it.
@Suite struct GGWaveVectorTests {
    private static let names = GGWaveVector.folder.caseNames()

    @Test func everyProtocolHasVectors() throws {
        let protocols = try GGWaveVectorTests.names.map { try GGWaveVector(named: $0).protocol }
        #expect(Set(protocols) == Set(GGWaveProtocol.all.map(\.name)))
    }

    /// The samples are equal to 1 µ of full scale, with little sound besides. The message is then heard in
    /// faint noise.
    @Test(arguments: names) func isSentAndHeard(name: String) throws {
        let vector = try GGWaveVector(named: name)
        let waveform = try #require(GGWaveProtocol.all.first { $0.name == vector.protocol })
        let profile = GGWaveProfile(
            waveform, fixedByteCount: vector.fixedByteCount, isScrambled: vector.isScrambled)
        let token = try #require([UInt8](hexadecimal: vector.token))
        let chunks = try GGWaveFrameEncoder(profile: profile).chunks(of: token)
        let literal = GGWaveModulator(profile: profile, sampleRateHz: 48_000, isLiteral: true).modulate(
            chunks)
        #expect(literal.count == vector.sampleCount)
        #expect(
            Double(literal.count)
                == (profile.durationSeconds(tokenByteCount: token.count) * 48_000).rounded())
        for run in vector.runs {
            for (index, value) in run.values.enumerated() {
                #expect(abs(Double(literal[run.start + index]) - value) < 1e-6)
            }
        }
        let sum = literal.reduce(0.0) { $0 + Double($1) * Double($1) }
        #expect(abs(sum / vector.sumOfSquares - 1) < 1e-6)

        let samples = GGWaveModulator(profile: profile, sampleRateHz: 48_000).modulate(chunks)
        try #require(samples.count == literal.count)
        let beside = zip(samples, literal).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
        #expect(beside < 0.02 * sum)
        #expect((beside == 0) == (vector.fixedByteCount != nil))

        var noise = NoiseSource(seed: 3)
        let sound = noise.samples(5000, sigma: 1e-4) + samples + noise.samples(30_000, sigma: 1e-4)
        var receiver = Receiver(profiles: [WaveformProfile(profile)])
        let reports = receiver.process(sound) + receiver.finish()
        let padding = (vector.fixedByteCount ?? token.count) - token.count
        #expect(reports.map(\.token) == [token + [UInt8](repeating: 0, count: padding)])
    }
}
