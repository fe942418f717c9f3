import AcousticModem

/// How tokens go by sound.
public struct AudioMediumSettings: Sendable, Hashable {
    /// What frames are sent in.
    public var profile: WaveformProfile
    /// What is listened for: each costs its own search.
    public var listensFor: [WaveformProfile]
    /// Of the waveform's peak.
    public var levelDBFS: Double

    public init(
        profile: WaveformProfile = .dsss, listensFor: [WaveformProfile] = [.dsss], levelDBFS: Double = -6
    ) {
        (self.profile, self.listensFor, self.levelDBFS) = (profile, listensFor, levelDBFS)
    }
}
