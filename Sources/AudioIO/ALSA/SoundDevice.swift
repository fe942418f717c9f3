import CALSA
import Glibc

/// A PCM by name, and its abilities in each direction.
public struct SoundDevice: Sendable, Hashable {
    /// The state of one direction of a PCM, and its offer without converting.
    public enum Ability: Sendable, Hashable {
        /// It can be opened now.
        case free(Offer)
        /// Another program uses it, and it does not mix.
        case busy
        /// The system refuses access.
        case forbidden
        /// It cannot be opened, for this reason.
        case absent(String)
    }

    /// The possible settings of one direction, without converting rates.
    public struct Offer: Sendable, Hashable {
        /// The usual rates that it has.
        public var sampleRatesHz: [Int]
        /// The encodings of samples that it has, the best first.
        public var encodings: [PCMEncoding]
        /// The least and the greatest number of channels, 1024 at most.
        public var channelCounts: ClosedRange<Int>
    }

    /// The name by which ``ALSACapture`` and ``ALSAPlayback`` open it: `default`, `hw:0`.
    public var name: String
    /// The driver's description, on one line; may be empty.
    public var words: String
    /// True if it is the PCM called `default`, which is opened if no name is given.
    public var isDefault: Bool
    /// The ability to capture at the time of the query.
    public var capture: Ability
    /// The ability to play at the time of the query.
    public var playback: Ability

    private static let usualRatesHz = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000]

    /// Returns every PCM that is there, the default one first. PCMs that can neither play nor capture are
    /// left out.
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

    /// Returns the reason why ``all()`` finds nothing, in ALSA's own words about its configuration; `nil` if
    /// the configuration can be read.
    package static func configurationProblem() -> String? {
        guard let words = ALSAWords.ofConfiguration() else { return nil }
        return words.sentence ?? "ALSA's configuration cannot be read"
    }

    /// Returns the names of all PCMs, whether they can be opened or not.
    static func names() -> [String] {
        Set(PCMNames.hinted().keys).union(PCMNames.configured()).sorted()
    }

    /// Returns the present offer of a direction of a PCM.
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
