import TestSupport
import Testing

@testable import AcousticModem

/// Tests of every file of Fixtures/encode, made by the model in Tools/reference from the waveform pages
/// alone.
@Suite struct ReferenceVectorTests {
    @Test func thereAreVectorsOfEveryProfile() throws {
        let profiles = try EncodeVector.names().map { try EncodeVector(named: $0).profile }
        #expect(Set(profiles) == Set((WaveformProfile.nearby + [.dsssWide]).map(\.name)))
        let families = [EncodeVector.names(family: "dsss"), EncodeVector.names(family: "fsk")]
        #expect(families.joined().count == profiles.count, "the suites below read all of them")
    }

    @Test(arguments: EncodeVector.names())
    func samples(name: String) throws {
        let vector = try EncodeVector(named: name)
        let transmitter = Transmitter(
            profile: try #require(WaveformProfile.named(vector.profile)), lane: vector.lane,
            sampleRateHz: vector.sampleRateHz)
        let samples = try transmitter.waveform(of: vector.tokenBytes).map(Double.init)
        try #require(samples.count == vector.sampleCount)
        for run in vector.sampleRuns {
            let errors = zip(samples[run.start...], run.values).map { abs($0 - $1) }
            #expect(errors.count == run.values.count)
            #expect(errors.max() ?? 1 < vector.sampleTolerance, "samples from \(run.start)")
        }
        #expect(abs(samples.reduce(0, +) - vector.sum) < vector.sumTolerance)
        #expect(abs(samples.reduce(0) { $0 + $1 * $1 } - vector.sumOfSquares) < vector.sumTolerance)
    }
}

/// Tests of the stages of the DSSS encoder.
@Suite struct DSSSReferenceVectorTests {
    @Test(arguments: EncodeVector.names(family: "dsss"))
    func infoBits(name: String) throws {
        let (vector, _, encoder) = try load(name)
        #expect(try text(encoder.infoBits(of: vector.tokenBytes)) == vector.infoBits)
    }

    @Test(arguments: EncodeVector.names(family: "dsss"))
    func codedBits(name: String) throws {
        let (vector, stages, encoder) = try load(name)
        #expect(try text(encoder.codedBits(of: vector.tokenBytes)) == stages.codedBits)
    }

    @Test(arguments: EncodeVector.names(family: "dsss"))
    func chips(name: String) throws {
        let (vector, stages, encoder) = try load(name)
        #expect(String(try encoder.chips(of: vector.tokenBytes).map { $0 > 0 ? "+" : "-" }) == stages.chips)
    }

    private func load(_ name: String) throws -> (EncodeVector, EncodeVector.DSSSStages, DSSSFrameEncoder) {
        let vector = try EncodeVector(named: name)
        let profile = try #require((DSSSProfile.all + [.dsssWide]).first { $0.name == vector.profile })
        let encoder = DSSSFrameEncoder(profile: profile, lane: vector.lane)
        return (vector, try EncodeVector.stages(of: name), encoder)
    }
}

/// Tests of the stages of the FSK encoder.
@Suite struct FSKReferenceVectorTests {
    @Test(arguments: EncodeVector.names(family: "fsk"))
    func infoBits(name: String) throws {
        let (vector, _, encoder) = try load(name)
        #expect(try text(encoder.infoBits(of: vector.tokenBytes)) == vector.infoBits)
    }

    @Test(arguments: EncodeVector.names(family: "fsk"))
    func labels(name: String) throws {
        let (vector, stages, encoder) = try load(name)
        #expect(encoder.profile.code.encode(try encoder.infoBits(of: vector.tokenBytes)) == stages.labels)
    }

    @Test(arguments: EncodeVector.names(family: "fsk"))
    func layout(name: String) throws {
        let (vector, stages, encoder) = try load(name)
        let tokenClass = try TokenClass(tokenByteCount: vector.tokenBytes.count)
        let layout = FSKFrameLayout(profile: encoder.profile, lane: vector.lane, tokenClass: tokenClass)
        #expect(layout.syncs.map(\.symbol) == stages.syncSymbols)
        #expect(zip(stages.labels, layout.scrambler).map { $0 ^ $1 } == stages.dataTones)
    }

    @Test(arguments: EncodeVector.names(family: "fsk"))
    func tones(name: String) throws {
        let (vector, stages, encoder) = try load(name)
        #expect(try encoder.tones(of: vector.tokenBytes) == stages.tones)
    }

    private func load(_ name: String) throws -> (EncodeVector, EncodeVector.FSKStages, FSKFrameEncoder) {
        let vector = try EncodeVector(named: name)
        let profile = try #require(FSKProfile.all.first { $0.name == vector.profile })
        let encoder = FSKFrameEncoder(profile: profile, lane: vector.lane)
        return (vector, try EncodeVector.stages(of: name), encoder)
    }
}

/// Returns the bits as text: `0110…`.
private func text(_ bits: [UInt8]) -> String { bits.map(String.init).joined() }

extension EncodeVector {
    fileprivate var tokenBytes: [UInt8] {
        get throws { try #require([UInt8](hexadecimal: token)) }
    }
}
