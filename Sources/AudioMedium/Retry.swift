import AudioIO
import Nearby

/// The wait before a device is tried again: a second, then twice as long each time, up to half a minute.
struct Retry {
    private(set) var seconds = 1.0

    mutating func lengthen() { seconds = min(30, 2 * seconds) }
    mutating func reset() { seconds = 1 }
}

extension MediumCondition.Obstacle {
    init(_ error: AudioIOError) {
        switch error.kind {
        case .noPermission: self = .forbidden
        case .unavailable, .noSuchInput, .badData, .cannotCreate, .wouldReplaceInput, .unfitOutput,
            .inputOutput,
            .readerGone:
            self = .failing
        }
    }
}
