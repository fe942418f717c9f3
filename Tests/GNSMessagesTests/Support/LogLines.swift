import Logging
import NearbyTestSupport

/// What was logged.
final class LogLines: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func contains(_ line: String) -> Bool { all.contains(line) }
    func containsLine(with words: String) -> Bool { all.contains { $0.contains(words) } }

    var logger: Logger { Logger(label: "test", factory: { _ in Handler(lines: self) }) }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = event.message.description
            lines.lines.withLock { $0.append(line) }
        }
    }
}
