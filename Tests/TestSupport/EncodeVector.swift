/// A file of Fixtures/encode: what a second implementation makes of a token, stage by stage.
public struct EncodeVector: Decodable, Sendable {
    public struct SampleRun: Decodable, Sendable {
        public var start: Int
        public var values: [Double]
    }
    public var token: String
    public var profile: String
    public var lane: Int
    public var infoBits: String
    public var codedBits: String
    public var chips: String
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
}
