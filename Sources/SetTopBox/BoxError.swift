import AudioIO
import Nearby

/// The reasons why a box does not start or does not change.
public indirect enum BoxError: Error, Sendable {
    /// A setting is not valid.
    case configuration(BoxConfigurationError)
    /// There is no thread for the box's sound.
    case audio(AudioIOError)
    /// The engine refuses the publication or the subscription.
    case engine(NearbyError)
    /// The box has ended: make another one.
    case ended
}

extension BoxError: CustomStringConvertible {
    /// The error in one line: what was expected, what came, what to do.
    public var description: String {
        switch self {
        case .configuration(let error): "\(error)"
        case .audio(let error): "\(error)"
        case .engine(let error): "\(error)"
        case .ended: "the box has ended: make another one"
        }
    }
}
