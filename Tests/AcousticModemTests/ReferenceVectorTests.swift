import TestSupport
import Testing

@testable import AcousticModem

/// Every file of Fixtures/encode, made by the model in Tools/reference from the waveform page alone.
@Suite struct ReferenceVectorTests {
    @Test func thereAreVectorsOfEveryProfile() throws {
        let profiles = try EncodeVector.folder.caseNames().map { try EncodeVector(named: $0).profile }
        #expect(Set(profiles) == Set(DSSSProfile.all.map(\.name)))
    }

    @Test(arguments: EncodeVector.folder.caseNames())
    func infoBits(name: String) throws {
        let (vector, encoder, token) = try load(name)
        #expect(try encoder.infoBits(of: token).map(String.init).joined() == vector.infoBits)
    }

    @Test(arguments: EncodeVector.folder.caseNames())
    func codedBits(name: String) throws {
        let (vector, encoder, token) = try load(name)
        #expect(try encoder.codedBits(of: token).map(String.init).joined() == vector.codedBits)
    }

    @Test(arguments: EncodeVector.folder.caseNames())
    func chips(name: String) throws {
        let (vector, encoder, token) = try load(name)
        #expect(String(try encoder.chips(of: token).map { $0 > 0 ? "+" : "-" }) == vector.chips)
    }

    @Test(arguments: EncodeVector.folder.caseNames())
    func samples(name: String) throws {
        let (vector, encoder, token) = try load(name)
        let transmitter = Transmitter(
            profile: WaveformProfile(encoder.profile), lane: encoder.lane, sampleRateHz: vector.sampleRateHz)
        let samples = try transmitter.waveform(of: token).map(Double.init)
        try #require(samples.count == vector.sampleCount)
        for run in vector.sampleRuns {
            let errors = zip(samples[run.start...], run.values).map { abs($0 - $1) }
            #expect(errors.count == run.values.count)
            #expect(errors.max() ?? 1 < vector.sampleTolerance, "samples from \(run.start)")
        }
        #expect(abs(samples.reduce(0, +) - vector.sum) < vector.sumTolerance)
        #expect(abs(samples.reduce(0) { $0 + $1 * $1 } - vector.sumOfSquares) < vector.sumTolerance)
    }

    private func load(_ name: String) throws -> (EncodeVector, DSSSFrameEncoder, [UInt8]) {
        let vector = try EncodeVector(named: name)
        let profile = try #require(DSSSProfile.all.first { $0.name == vector.profile })
        let token = try #require([UInt8](hexadecimal: vector.token))
        return (vector, DSSSFrameEncoder(profile: profile, lane: vector.lane), token)
    }
}
