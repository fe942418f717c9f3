import Signal

/// The sender of a token that was heard lately, with the pace at which its frames come.
///
///     heard      heard       expected    expected
///     |▄▄▄▄|  …  |▄▄▄▄|  …  |┄┄┄┄┄┄|  …  |┄┄┄┄┄┄|          a period apart, as it arrives
struct KnownSender: Sendable {
    /// The greatest difference from a whole number of periods at which two frames still show the pace.
    private static let paceSeconds = 0.02
    /// The most periods between two frames that show the standard pace.
    private static let mostPeriods = 20.0

    let profile: DSSSProfile
    let token: [UInt8]
    let lane: Int
    /// The start of the last frame that was decoded, as ``Candidate/start``.
    private(set) var decodedStart: Double
    /// The start of the last frame that was decoded or recognised.
    private(set) var start: Double
    private(set) var timeScale: Double
    /// The time from one frame to the next in baseband samples; `nil` until two frames have shown it.
    private(set) var period: Double?
    private var lastDistance: Double?
    /// The number of periods from ``start`` to the frame that is expected next.
    private var ahead = 1.0
    /// The frame as it is expected; `nil` until it is needed, and after the speed has changed.
    var frame: ExpectedFrame?

    init(_ report: DecodeReport, _ profile: DSSSProfile, start: Double) {
        (self.profile, token, lane) = (profile, report.token, report.lane)
        (decodedStart, self.start) = (start, start)
        timeScale = Double(report.speedMetersPerSecond) / SearchGrid.soundSpeed
    }

    func isSender(of report: DecodeReport) -> Bool {
        report.token == token && report.lane == lane && report.profile == WaveformProfile(profile)
    }

    /// The start of the frame that is expected next; `nil` while the pace is unknown.
    var expectedStart: Double? { period.map { start + ahead * $0 } }

    /// Takes a frame of this sender that was decoded.
    mutating func heard(_ report: DecodeReport, start: Double) {
        // Another view of the same frame comes at nearly the same start.
        guard start - decodedStart > profile.durationSeconds / 2 * profile.band.rateHz else { return }
        learnPace(distance: start - decodedStart)
        timeScale = Double(report.speedMetersPerSecond) / SearchGrid.soundSpeed
        (decodedStart, self.start, ahead, frame) = (start, max(start, self.start), 1, nil)
    }

    /// Learns the pace: the standard one, if a whole number of its periods fits, or that of three frames as
    /// far apart as each other.
    private mutating func learnPace(distance: Double) {
        let rateHz = profile.band.rateHz
        let tolerance = KnownSender.paceSeconds * rateHz
        let standard = profile.repeatPeriodSeconds * rateHz / (1 + timeScale)
        let count = (distance / standard).rounded()
        if count >= 1, count <= KnownSender.mostPeriods, abs(distance - count * standard) < tolerance {
            period = standard
        } else if let lastDistance, abs(distance - lastDistance) < tolerance {
            period = distance
        } else {
            period = nil
        }
        lastDistance = distance
    }

    /// Takes a frame of this sender that was recognised where it was expected.
    mutating func recognised(start: Double) {
        (self.start, ahead) = (start, 1)
    }

    /// Gives up the frame that was expected.
    mutating func missed() { ahead += 1 }

    /// Moves the clock on by baseband samples that have no positions.
    mutating func skip(samples: Double) {
        decodedStart -= samples
        start -= samples
    }
}
