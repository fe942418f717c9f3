import AcousticModem
import Nearby

/// How tokens go by sound.
public struct AudioMediumSettings: Sendable, Hashable {
    /// What frames are sent in.
    public var profile: WaveformProfile
    /// What frames for earshot alone are sent in; nil: they are like all others. Whoever is to be found by one who has it must
    /// listen for it.
    public var nearProfile: WaveformProfile?
    /// What sealed frames are sent in; nil: as tokens. They have up to four times as many bytes, and in a waveform that takes as long
    /// for 32 as for 8 they are not heard in every room in which tokens are.
    public var sealedProfile: WaveformProfile?
    /// What is listened for: each costs its own search.
    public var listensFor: [WaveformProfile]
    /// Of the waveform's peak.
    public var levelDBFS: Double

    /// By default tokens and sealed frames alike by `dsss`, the peak at −6 dBFS.
    ///
    /// - Parameter listensFor: nil: for all that is sent in here.
    public init(
        profile: WaveformProfile = .dsss, nearProfile: WaveformProfile? = nil,
        sealedProfile: WaveformProfile? = nil, listensFor: [WaveformProfile]? = nil, levelDBFS: Double = -6
    ) {
        (self.profile, self.nearProfile, self.levelDBFS) = (profile, nearProfile, levelDBFS)
        self.sealedProfile = sealedProfile
        var all = [profile]
        for more in [nearProfile, sealedProfile] {
            if let more, !all.contains(more) { all.append(more) }
        }
        self.listensFor = listensFor ?? all
    }

    /// Of devices that need no server: sealed frames are heard wherever tokens are, and take 3.7 s.
    public static let offline = AudioMediumSettings(sealedProfile: .dsssFar)

    /// What the engine is told of.
    public var profiles: Set<MediumAssignment.Profile> {
        nearProfile == nil ? [.standard] : [.standard, .near]
    }

    func waveform(_ profile: MediumAssignment.Profile) -> WaveformProfile {
        profile == .near ? nearProfile ?? self.profile : self.profile
    }
}
