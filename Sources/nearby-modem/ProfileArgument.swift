import AcousticModem
import ArgumentParser

extension WaveformProfile: ExpressibleByArgument {
    public init?(argument: String) {
        guard let profile = WaveformProfile.named(argument) else { return nil }
        self = profile
    }

    public var defaultValueDescription: String { name }
    public static var allValueStrings: [String] { (all + optional).map(\.name) }
}

/// A waveform's name as `encode` takes it, before the options that some waveforms need are known.
enum ProfileName: ExpressibleByArgument {
    case nearby(WaveformProfile)
    case ggwave(GGWaveProtocol)
    case fsk2

    /// The waveforms with check bits.
    private static let checked = WaveformProfile.nearby + [.dsssWide]

    init?(argument: String) {
        if let profile = ProfileName.checked.first(where: { $0.name == argument }) {
            self = .nearby(profile)
        } else if let waveform = GGWaveProtocol.all.first(where: { "ggwave-\($0.name)" == argument }) {
            self = .ggwave(waveform)
        } else if argument == WaveformProfile.fsk2.name {
            self = .fsk2
        } else {
            return nil
        }
    }

    /// Returns the waveform. Throws: a usage error for options that are missing, or that the waveform does
    /// not have.
    func profile(_ agreement: ProfileAgreement) throws -> WaveformProfile {
        try agreement.check([self])
        return try chosen(agreement)
    }

    /// Returns the waveform if others are chosen too, to which options may belong. Throws: a usage error for
    /// missing options.
    fileprivate func chosen(_ agreement: ProfileAgreement) throws -> WaveformProfile {
        switch self {
        case .nearby(let profile): profile
        case .ggwave(let waveform): try agreement.ggwave.profile(waveform)
        case .fsk2: try agreement.line.profile()
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .nearby(let profile): profile.name
        case .ggwave(let waveform): "ggwave-\(waveform.name)"
        case .fsk2: WaveformProfile.fsk2.name
        }
    }

    static var allValueStrings: [String] {
        WaveformProfile.nearby.map(\.name) + GGWaveProtocol.all.map { "ggwave-\($0.name)" }
            + WaveformProfile.optional.map(\.name)
    }
}

extension ProfileAgreement {
    /// Throws: a usage error for options that none of these waveforms has.
    fileprivate func check(_ names: [ProfileName]) throws {
        let hasGGWave = names.contains { if case .ggwave = $0 { true } else { false } }
        let hasLine = names.contains { if case .fsk2 = $0 { true } else { false } }
        guard hasGGWave || !ggwave.isSaid else {
            let names = names.map(\.defaultValueDescription).joined(separator: ", ")
            throw ValidationError("--fixed-length and --dss are for ggwave profiles, not for \(names)")
        }
        guard hasLine || !line.isSaid else {
            throw ValidationError("--baud, --mark and --space need --profile fsk2")
        }
    }
}

/// The choice of waveforms that `decode` listens for.
enum ProfileChoice: ExpressibleByArgument {
    case auto
    /// The protocols of ggwave whose messages state their length, or all of them if the length is given.
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

    /// Returns all chosen waveforms, each once. Throws: the errors of ``ProfileName/profile(_:)``.
    static func profiles(_ choices: [ProfileChoice], _ agreement: ProfileAgreement = ProfileAgreement())
        throws -> [WaveformProfile]
    {
        let names = choices.flatMap { $0.names(agreement) }
        try agreement.check(names)
        var profiles: [WaveformProfile] = []
        for name in names {
            let profile = try name.chosen(agreement)
            if !profiles.contains(profile) { profiles.append(profile) }
        }
        return profiles
    }

    private func names(_ agreement: ProfileAgreement) -> [ProfileName] {
        switch self {
        case .auto: WaveformProfile.nearby.map { .nearby($0) } + ProfileChoice.ggwave.names(agreement)
        case .ggwave:
            GGWaveProtocol.all.filter { agreement.ggwave.fixedByteCount != nil || $0.tones != .monoTone }
                .map { .ggwave($0) }
        case .one(let name): [name]
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
