/// A file of Fixtures/ggwave: the original ggwave's sound of a payload, at full volume.
package struct GGWaveVector: Decodable, Sendable {
    package var `protocol`: String
    package var token: String
    package var fixedByteCount: Int?
    package var isScrambled: Bool
    package var sampleCount: Int
    package var runs: [EncodeVector.SampleRun]
    package var sumOfSquares: Double

    package static let folder = FixtureFolder("ggwave")

    package init(named name: String) throws {
        self = try Self.folder.decode(Self.self, from: name + ".json")
    }
}
