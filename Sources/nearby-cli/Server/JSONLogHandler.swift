import CommandOutput
import FoundationEssentials
import Logging

/// Writes one JSON object a line to standard error: `time`, `level`, `logger`, `message`, and the event's
/// metadata as strings in `metadata`.
struct JSONLogHandler: LogHandler {
    private struct Line: Encodable {
        var time: String
        var level: String
        var logger: String
        var message: String
        var metadata: [String: String]
    }

    private let label: String
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        JSONLogHandler.write(label, event.level, event.message, all)
    }

    /// Writes one line, regardless of the log level.
    static func write(
        _ label: String, _ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata,
        at time: Date = Date()
    ) {
        let line = Line(
            time: time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            level: level.rawValue, logger: label, message: message.description,
            metadata: metadata.mapValues(\.description))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(line) else { preconditionFailure("strings are always JSON") }
        StandardError.show(String(decoding: json, as: UTF8.self) + "\n")
    }
}
