/// A recording of Fixtures/receive with its sidecar, which has the expected result of a receiver.
public struct ReceiveFixture: Sendable {
    public struct Sidecar: Decodable, Sendable {
        /// The token in hexadecimal, also of a frame that must not be heard; `nil` if there is no frame.
        public var token: String?
        public var profile: String?
        public var lane: Int?
        public var sampleRateHz: Double
        /// The SNR in 18.5–20 kHz.
        public var snrDecibels: Double?
        public var clockSkewPPM: Double
        /// The closing speed.
        public var speedMetersPerSecond: Double
        public var expect: Expectation
    }
    public struct Expectation: Decodable, Sendable {
        public enum Outcome: String, Decodable, Sendable { case token, nothing }
        public var outcome: Outcome
        /// The start; it is present if a token is expected.
        public var startSeconds: Double?
        /// The tolerance of the start, in seconds.
        public var tolerance: Double?
    }

    public let sidecar: Sidecar
    /// The samples, mono, within ±1.
    public let samples: [Float]

    public static let folder = FixtureFolder("receive")
    /// The names of all recordings; one without a sidecar is a failing case.
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

/// The corpus test's threshold, Fixtures/receive/score.json, or a score itself.
public struct CorpusScore: Decodable, Sendable, Hashable, CustomStringConvertible {
    /// The number of recordings whose token was heard.
    public var heard: Int
    /// The number of recordings whose token was not heard.
    public var missed: Int
    /// The number of reports of tokens that were not sent, and of second reports of those that were.
    public var `false`: Int

    public init(heard: Int = 0, missed: Int = 0, false invented: Int = 0) {
        (self.heard, self.missed, self.false) = (heard, missed, invented)
    }

    public static func threshold() throws -> CorpusScore {
        try ReceiveFixture.folder.decode(CorpusScore.self, from: "score.json")
    }

    public var description: String { "heard \(heard), missed \(missed), false \(self.false)" }
}
