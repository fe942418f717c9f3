/// A file of Fixtures/encode: a second implementation's encoding of a token, stage by stage.
///
/// These are the keys of both families; each has stages of its own besides.
public struct EncodeVector: Decodable, Sendable {
    public struct SampleRun: Decodable, Sendable {
        public var start: Int
        public var values: [Double]
    }

    /// The stages of `dsss…`.
    public struct DSSSStages: Decodable, Sendable {
        public var codedBits: String
        public var chips: String
    }

    /// The stages of `fsk…`.
    public struct FSKStages: Decodable, Sendable {
        /// The labels, `[n]`.
        public var labels: [UInt8]
        /// The data tones, scrambled, within their sub-bands, `[n]`.
        public var dataTones: [UInt8]
        public var syncSymbols: [Int]
        /// The tones of all symbols, counted through all sub-bands.
        public var tones: [Int]
    }

    public var token: String
    public var profile: String
    public var lane: Int
    public var infoBits: String
    public var sampleRateHz: Double
    public var sampleCount: Int
    public var sampleTolerance: Double
    public var sampleRuns: [SampleRun]
    public var sum: Double
    public var sumOfSquares: Double
    public var sumTolerance: Double

    public static let folder = FixtureFolder("encode")

    public init(named name: String) throws {
        self = try Self.folder.decode(Self.self, from: name + ".json")
    }

    /// Returns the files of the profiles whose names begin with `family`.
    public static func names(family: String = "") -> [String] {
        folder.caseNames().filter { $0.hasPrefix(family) }
    }

    /// Returns a file's stages, such as ``DSSSStages``.
    public static func stages<Stages: Decodable>(of name: String) throws -> Stages {
        try folder.decode(Stages.self, from: name + ".json")
    }
}
