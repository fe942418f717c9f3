/// A file of Fixtures/ggwave: the original ggwave's sound of a payload, at full volume.
public struct GGWaveVector: Decodable, Sendable {
    public var `protocol`: String
    public var token: String
    public var fixedByteCount: Int?
    public var isScrambled: Bool
    public var sampleCount: Int
    public var runs: [EncodeVector.SampleRun]
    public var sumOfSquares: Double

    public static let folder = FixtureFolder("ggwave")

    public init(named name: String) throws {
        self = try Self.folder.decode(Self.self, from: name + ".json")
    }
}
