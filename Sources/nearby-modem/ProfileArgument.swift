import AcousticModem
import ArgumentParser

extension WaveformProfile: ExpressibleByArgument {
    public init?(argument: String) {
        guard let profile = WaveformProfile.named(argument) else { return nil }
        self = profile
    }

    public var defaultValueDescription: String { name }
    public static var allValueStrings: [String] { (all + [fsk2]).map(\.name) }
}

/// What `decode` listens for.
enum ProfileChoice: ExpressibleByArgument {
    case auto
    case one(WaveformProfile)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let profile = WaveformProfile(argument: argument) {
            self = .one(profile)
        } else {
            return nil
        }
    }

    var profiles: [WaveformProfile] {
        switch self {
        case .auto: WaveformProfile.all
        case .one(let profile): [profile]
        }
    }

    /// With the numbers of `fsk2` in it.
    func profiles(_ options: UARTOptions) throws -> [WaveformProfile] {
        guard case .one(let profile) = self else {
            _ = try options.applied(to: .dsss)
            return profiles
        }
        return [try options.applied(to: profile)]
    }

    var defaultValueDescription: String { "auto" }
    static var allValueStrings: [String] { ["auto"] + WaveformProfile.allValueStrings }
}
