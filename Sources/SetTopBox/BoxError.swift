import AudioIO
import Nearby

/// Why a box does not start, or does not change.
public indirect enum BoxError: Error, Sendable {
    /// A setting that does not do.
    case configuration(BoxConfigurationError)
    /// No thread for its sound.
    case audio(AudioIOError)
    /// The engine refuses what is published or subscribed to.
    case engine(NearbyError)
    /// It has ended: make another one.
    case ended
}

extension BoxError: CustomStringConvertible {
    /// One line: what was expected, what came, what to do.
    public var description: String {
        switch self {
        case .configuration(let error): "\(error)"
        case .audio(let error): "\(error)"
        case .engine(let error): "\(error)"
        case .ended: "the box has ended: make another one"
        }
    }
}
