import ArgumentParser
import CommandOutput
import Nearby
import Synchronization

/// By which of them messages go.
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

/// What a radio says of itself on standard error, once: what stands in the way of both directions is one line.
final class LastWords: Sendable {
    private let last = Mutex("")

    /// - Parameter line: "broadcast: …", "scan: …".
    func write(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? line
        let isNew = last.withLock { last in
            defer { last = words }
            return last != words
        }
        if isNew { StandardError.write("Bluetooth: \(words)") }
    }
}
