import CALSA
import Glibc

/// A PCM by name, and what it can do in each direction.
public struct SoundDevice: Sendable, Hashable {
    /// What one direction of a PCM offers without converting.
    public enum Ability: Sendable, Hashable {
        /// It can be opened now.
        case free(Offer)
        /// Another program has it, and it does not mix.
        case busy
        /// The system refuses access.
        case forbidden
        /// Why it cannot be opened.
        case absent(String)
    }

    /// What one direction can be set to, rates being as they are.
    public struct Offer: Sendable, Hashable {
        /// Of the usual ones.
        public var sampleRatesHz: [Int]
        /// Ways to store samples, the best first.
        public var encodings: [PCMEncoding]
        /// The least and the greatest number of channels, 1024 at most.
        public var channelCounts: ClosedRange<Int>
    }

    /// What ``ALSACapture`` and ``ALSAPlayback`` open it by: `default`, `hw:0`.
    public var name: String
    /// One line, as the driver says it; may be empty.
    public var words: String
    /// Whether it is the one called `default`, which is opened where no name is given.
    public var isDefault: Bool
    /// Whether it can be captured from, as it was when asked.
    public var capture: Ability
    /// Whether it can be played to, as it was when asked.
    public var playback: Ability

    private static let usualRatesHz = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000]

    /// Every PCM that is there, the default one first. Those that can be neither played to nor captured from are left out.
    public static func all() -> [SoundDevice] {
        ALSAWords.beQuiet()
        var words = PCMNames.hinted()
        for name in PCMNames.configured() where words[name] == nil { words[name] = "" }
        let devices = words.map { name, words in
            SoundDevice(
                name: name, words: words, isDefault: name == "default", capture: ability(name, .capture),
                playback: ability(name, .playback))
        }
        return devices.filter { !$0.capture.isAbsent || !$0.playback.isAbsent }
            .sorted { ($0.isDefault ? 0 : 1, $0.name) < ($1.isDefault ? 0 : 1, $1.name) }
    }

    /// Why ``all()`` finds nothing: ALSA's own words about its configuration; nil when that is read.
    package static func configurationProblem() -> String? {
        guard let words = ALSAWords.ofConfiguration() else { return nil }
        return words.sentence ?? "ALSA's configuration cannot be read"
    }

    /// Names of all PCMs, whether they can be opened or not.
    static func names() -> [String] {
        Set(PCMNames.hinted().keys).union(PCMNames.configured()).sorted()
    }

    /// What a direction of a PCM offers now.
    static func ability(_ name: String, _ direction: PCM.Direction) -> Ability {
        let (opened, code, _) = ALSAWords.open(name, direction)
        guard code >= 0, let handle = opened else {
            switch -code {
            case EBUSY: return .busy
            case EACCES, EPERM: return .forbidden
            default: return .absent(PCMError.text(code))
            }
        }
        defer { snd_pcm_close(handle) }
        var hardware: OpaquePointer?
        snd_pcm_hw_params_malloc(&hardware)
        defer { snd_pcm_hw_params_free(hardware) }
        let any = snd_pcm_hw_params_any(handle, hardware)
        guard any >= 0 else { return .absent(PCMError.text(any)) }
        snd_pcm_hw_params_set_rate_resample(handle, hardware, 0)
        var (least, most) = (UInt32(0), UInt32(0))
        snd_pcm_hw_params_get_channels_min(hardware, &least)
        snd_pcm_hw_params_get_channels_max(hardware, &most)
        return .free(
            Offer(
                sampleRatesHz: usualRatesHz.filter {
                    snd_pcm_hw_params_test_rate(handle, hardware, UInt32($0), 0) == 0
                },
                encodings: PCMEncoding.allCases.filter {
                    snd_pcm_hw_params_test_format(handle, hardware, $0.alsa) == 0
                },
                channelCounts: Int(least)...max(Int(least), Int(min(most, 1024)))))
    }
}

extension SoundDevice.Ability {
    var isAbsent: Bool { if case .absent = self { true } else { false } }
}
