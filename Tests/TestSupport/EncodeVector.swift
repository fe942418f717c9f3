/// A file of Fixtures/encode: a second implementation's encoding of a token, stage by stage.
///
/// These are the keys of both families; each has stages of its own besides.
package struct EncodeVector: Decodable, Sendable {
    package struct SampleRun: Decodable, Sendable {
        package var start: Int
        package var values: [Double]
    }

    /// The stages of `dsss…`.
    package struct DSSSStages: Decodable, Sendable {
        package var codedBits: String
        package var chips: String
    }

    /// The stages of `fsk…`.
    package struct FSKStages: Decodable, Sendable {
        /// The labels, `[n]`.
        package var labels: [UInt8]
        /// The data tones, scrambled, within their sub-bands, `[n]`.
        package var dataTones: [UInt8]
        package var syncSymbols: [Int]
        /// The tones of all symbols, counted through all sub-bands.
        package var tones: [Int]
    }

    package var token: String
    package var profile: String
    package var lane: Int
    package var infoBits: String
    package var sampleRateHz: Double
    package var sampleCount: Int
    package var sampleTolerance: Double
    package var sampleRuns: [SampleRun]
    package var sum: Double
    package var sumOfSquares: Double
    package var sumTolerance: Double

    package static let folder = FixtureFolder("encode")

    package init(named name: String) throws {
        self = try Self.folder.decode(Self.self, from: name + ".json")
    }

    /// Returns the files of the profiles whose names begin with `family`.
    package static func names(family: String = "") -> [String] {
        folder.caseNames().filter { $0.hasPrefix(family) }
    }

    /// Returns a file's stages, such as ``DSSSStages``.
    package static func stages<Stages: Decodable>(of name: String) throws -> Stages {
        try folder.decode(Stages.self, from: name + ".json")
    }
}
