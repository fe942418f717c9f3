/// A recording of Fixtures/receive with its sidecar: what a receiver is to make of it.
public struct ReceiveFixture: Sendable {
    public struct Sidecar: Decodable, Sendable {
        /// Hexadecimal; also of frames that must not be heard, nil without any frame.
        public var token: String?
        public var profile: String?
        public var lane: Int?
        public var sampleRateHz: Double
        /// In 18.5–20 kHz.
        public var snrDecibels: Double?
        public var clockSkewPPM: Double
        /// Closing speed.
        public var speedMetersPerSecond: Double
        public var expect: Expectation
    }
    public struct Expectation: Decodable, Sendable {
        public enum Outcome: String, Decodable, Sendable { case token, nothing }
        public var outcome: Outcome
        /// Present where a token is expected.
        public var startSeconds: Double?
        /// Of the start, seconds.
        public var tolerance: Double?
    }

    public let sidecar: Sidecar
    /// Mono, within ±1.
    public let samples: [Float]

    public static let folder = FixtureFolder("receive")
    /// Every recording; one without a sidecar is a failing case.
    public static let names = folder.caseNames(withExtension: "wav")

    public init(named name: String) throws {
        sidecar = try Self.folder.decode(Sidecar.self, from: name + ".json")
        let recording = try RecordedSound(wav: [UInt8](Self.folder.data(of: name + ".wav")))
        guard recording.sampleRateHz == sidecar.sampleRateHz else {
            throw FixtureError(
                "\(name).json says \(sidecar.sampleRateHz) Hz, the WAV \(recording.sampleRateHz)")
        }
        samples = recording.samples
    }
}

/// The corpus test's threshold, Fixtures/receive/score.json; also a score itself.
public struct CorpusScore: Decodable, Sendable, Hashable, CustomStringConvertible {
    /// Recordings whose token was heard.
    public var heard: Int
    /// Recordings whose token was not.
    public var missed: Int
    /// Reports of what was not sent, and second reports of what was.
    public var `false`: Int

    public init(heard: Int = 0, missed: Int = 0, false invented: Int = 0) {
        (self.heard, self.missed, self.false) = (heard, missed, invented)
    }

    public static func threshold() throws -> CorpusScore {
        try ReceiveFixture.folder.decode(CorpusScore.self, from: "score.json")
    }

    public var description: String { "heard \(heard), missed \(missed), false \(self.false)" }
}
