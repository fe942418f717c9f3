import Logging

/// The lines that were logged.
package final class LogLines: Sendable {
    private struct Line: Sendable {
        var level: Logger.Level
        var message: String
        var metadata: Logger.Metadata
    }

    private let lines = Locked<[Line]>([])

    package init() {}

    /// The messages alone.
    package var all: [String] { lines.withLock { $0.map(\.message) } }

    /// The lines with level, message and metadata.
    package var whole: [String] {
        lines.withLock {
            $0.map { line in
                let metadata = line.metadata.sorted { $0.key < $1.key }.map { " \($0)=\($1)" }
                return "\(line.level) \(line.message)\(metadata.joined())"
            }
        }
    }

    package func contains(_ line: String) -> Bool { all.contains(line) }
    package func containsLine(with words: String) -> Bool { all.contains { $0.contains(words) } }

    package var logger: Logger { Logger(label: "test", factory: { _ in Handler(lines: self) }) }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            let line = Line(level: event.level, message: event.message.description, metadata: all)
            lines.lines.withLock { $0.append(line) }
        }
    }
}
