import AcousticModem
import Nearby

/// How tokens go by sound.
public struct AudioMediumSettings: Sendable, Hashable {
    /// What frames are sent in.
    public var profile: WaveformProfile
    /// What frames for earshot alone are sent in; nil: they are like all others. Whoever is to be found by one who has it must
    /// listen for it.
    public var nearProfile: WaveformProfile?
    /// What is listened for: each costs its own search.
    public var listensFor: [WaveformProfile]
    /// Of the waveform's peak.
    public var levelDBFS: Double

    public init(
        profile: WaveformProfile = .dsss, nearProfile: WaveformProfile? = nil,
        listensFor: [WaveformProfile]? = nil, levelDBFS: Double = -6
    ) {
        (self.profile, self.nearProfile, self.levelDBFS) = (profile, nearProfile, levelDBFS)
        self.listensFor = listensFor ?? [profile] + [nearProfile].compactMap { $0 }
    }

    /// What the engine is told of.
    public var profiles: Set<MediumAssignment.Profile> {
        nearProfile == nil ? [.standard] : [.standard, .near]
    }

    func waveform(_ profile: MediumAssignment.Profile) -> WaveformProfile {
        profile == .near ? nearProfile ?? self.profile : self.profile
    }
}
