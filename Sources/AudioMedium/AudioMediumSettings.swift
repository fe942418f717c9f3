import AcousticModem
import Nearby

/// The settings for tokens by sound.
public struct AudioMediumSettings: Sendable, Hashable {
    /// The waveform in which frames are sent.
    public var profile: WaveformProfile
    /// The waveform for frames that are for earshot alone; `nil` to send them like all others. A device that
    /// is to be found by one with this setting must listen for this waveform.
    public var nearProfile: WaveformProfile?
    /// The waveform for sealed frames; `nil` to send them like tokens. Sealed frames have up to four times as
    /// many bytes. In a waveform that takes as long for 32 bytes as for 8, they are not received in every
    /// room in which tokens are.
    public var sealedProfile: WaveformProfile?
    /// The waveforms to listen for; each costs its own search.
    public var listensFor: [WaveformProfile]
    /// The level of the waveform's peak.
    public var levelDBFS: Double

    /// Creates settings. By default tokens and sealed frames alike use `dsss`, with the peak at −6 dBFS.
    ///
    /// - Parameter listensFor: the waveforms to listen for; `nil` for all that are sent with these settings.
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

    /// The settings of devices that need no server: sealed frames are received wherever tokens are, and take
    /// 3.7 s.
    public static let offline = AudioMediumSettings(sealedProfile: .dsssFar)

    /// The profiles that the medium offers to the engine.
    public var profiles: Set<MediumAssignment.Profile> {
        nearProfile == nil ? [.standard] : [.standard, .near]
    }

    func waveform(_ profile: MediumAssignment.Profile) -> WaveformProfile {
        profile == .near ? nearProfile ?? self.profile : self.profile
    }
}
