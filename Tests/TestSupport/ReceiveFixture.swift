/// A recording of Fixtures/receive with its sidecar, which has the expected result of a receiver.
package struct ReceiveFixture: Sendable {
    package struct Sidecar: Decodable, Sendable {
        /// The token in hexadecimal, also of a frame that must not be heard; `nil` if there is no frame.
        package var token: String?
        package var profile: String?
        package var lane: Int?
        package var sampleRateHz: Double
        /// The SNR in 18.5–20 kHz.
        package var snrDecibels: Double?
        package var clockSkewPPM: Double
        /// The closing speed.
        package var speedMetersPerSecond: Double
        package var expect: Expectation
    }
    package struct Expectation: Decodable, Sendable {
        package enum Outcome: String, Decodable, Sendable { case token, nothing }
        package var outcome: Outcome
        /// The start; it is present if a token is expected.
        package var startSeconds: Double?
        /// The tolerance of the start, in seconds.
        package var tolerance: Double?
    }

    package let sidecar: Sidecar
    /// The samples, mono, within ±1.
    package let samples: [Float]

    package static let folder = FixtureFolder("receive")
    /// The names of all recordings; one without a sidecar is a failing case.
    package static let names = folder.caseNames(withExtension: "wav")

    package init(named name: String) throws {
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
package struct CorpusScore: Decodable, Sendable, Hashable, CustomStringConvertible {
    /// The number of recordings whose token was heard.
    package var heard: Int
    /// The number of recordings whose token was not heard.
    package var missed: Int
    /// The number of reports of tokens that were not sent, and of second reports of those that were.
    package var `false`: Int

    package init(heard: Int = 0, missed: Int = 0, false invented: Int = 0) {
        (self.heard, self.missed, self.false) = (heard, missed, invented)
    }

    package static func threshold() throws -> CorpusScore {
        try ReceiveFixture.folder.decode(CorpusScore.self, from: "score.json")
    }

    package var description: String { "heard \(heard), missed \(missed), false \(self.false)" }
}
