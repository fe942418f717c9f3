import ArgumentParser
import Nearby

/// The media that carry messages.
enum MediumChoice: String, ExpressibleByArgument, CaseIterable {
    case audio, ble, both

    var media: Set<Medium> {
        switch self {
        case .audio: [.audio]
        case .ble: [.ble]
        case .both: [.audio, .ble]
        }
    }
}
