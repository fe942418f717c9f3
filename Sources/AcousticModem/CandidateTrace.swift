/// A candidate that became no token, and where it was given up: what `--trace` shows of a frame that should have been
/// heard.
public struct CandidateTrace: Sendable, Hashable {
    public enum Stage: String, Sendable, CaseIterable {
        /// Found, but with too few nats of pilots to be tried.
        case acquisition
        /// Tracked and glanced at; pilots and data together were not evident enough for more.
        case tracking
        /// Decoded with more effort, and no check held.
        case frame
    }

    public var stage: Stage
    public var profile: WaveformProfile
    public var startSeconds: Double
    public var speedMetersPerSecond: Float
    public var lane: Int
    /// Frames searched jointly.
    public var repeats: Int
    /// Log likelihood ratio of the pilots over noise.
    public var pilotNats: Float
    /// Pilots and code together, less what noise reaches; nil before any decoding.
    public var evidenceNats: Float?
}
