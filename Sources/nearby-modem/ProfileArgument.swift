import AcousticModem
import ArgumentParser

extension WaveformProfile: ExpressibleByArgument {
    public init?(argument: String) {
        guard let profile = WaveformProfile.named(argument) else { return nil }
        self = profile
    }

    public var defaultValueDescription: String { name }
    public static var allValueStrings: [String] { all.map(\.name) }
}

/// A waveform as `encode` takes it, before the options that some need are known.
enum ProfileName: ExpressibleByArgument {
    case nearby(WaveformProfile)
    case ggwave(GGWaveProtocol)

    init?(argument: String) {
        if let profile = WaveformProfile.nearby.first(where: { $0.name == argument }) {
            self = .nearby(profile)
        } else if let waveform = GGWaveProtocol.all.first(where: { "ggwave-\($0.name)" == argument }) {
            self = .ggwave(waveform)
        } else {
            return nil
        }
    }

    /// Throws: options that are missing, or that the waveform does not have.
    func profile(_ options: GGWaveAgreement) throws -> WaveformProfile {
        switch self {
        case .nearby(let profile):
            guard !options.isSaid else {
                throw ValidationError("--fixed-length and --dss are of ggwave; \(profile.name) has neither")
            }
            return profile
        case .ggwave(let waveform): return try options.profile(waveform)
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .nearby(let profile): profile.name
        case .ggwave(let waveform): "ggwave-\(waveform.name)"
        }
    }

    static var allValueStrings: [String] {
        WaveformProfile.nearby.map(\.name) + GGWaveProtocol.all.map { "ggwave-\($0.name)" }
    }
}

/// What `decode` listens for.
enum ProfileChoice: ExpressibleByArgument {
    case auto
    /// ggwave's protocols that say their length, or all with the length given.
    case ggwave
    case one(ProfileName)

    init?(argument: String) {
        switch argument {
        case "auto": self = .auto
        case "ggwave": self = .ggwave
        default:
            guard let name = ProfileName(argument: argument) else { return nil }
            self = .one(name)
        }
    }

    /// All that is chosen, each once. Throws: as ``ProfileName/profile(_:)``.
    static func profiles(_ choices: [ProfileChoice], _ options: GGWaveAgreement = GGWaveAgreement()) throws
        -> [WaveformProfile]
    {
        var profiles: [WaveformProfile] = []
        for choice in choices {
            for profile in try choice.profiles(options, isAlone: choices.count == 1)
            where !profiles.contains(profile) {
                profiles.append(profile)
            }
        }
        return profiles
    }

    private func profiles(_ options: GGWaveAgreement, isAlone: Bool) throws -> [WaveformProfile] {
        switch self {
        case .auto: return try WaveformProfile.nearby + ProfileChoice.ggwave.profiles(options, isAlone: false)
        case .ggwave:
            return try GGWaveProtocol.all.filter { options.fixedByteCount != nil || $0.tones != .monoTone }
                .map { try options.profile($0) }
        case .one(.nearby(let profile)) where !isAlone: return [profile]
        case .one(let name): return [try name.profile(options)]
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .auto: "auto"
        case .ggwave: "ggwave"
        case .one(let name): name.defaultValueDescription
        }
    }

    static var allValueStrings: [String] { ["auto", "ggwave"] + ProfileName.allValueStrings }
}
