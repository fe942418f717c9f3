import CommandOutput
import Glibc
import Logging
import Synchronization

/// A log on standard error. For the journal, each line has a priority before it; for people, it has the
/// program's name.
package final class ServiceLog: Sendable {
    /// True if `<N>` precedes each line. Reference: sd-daemon(3), syslog(3).
    private let hasPriorities: Bool
    private let current: Mutex<Logger.Level>

    package init(level: Logger.Level, hasPriorities: Bool = ServiceLog.isJournal()) {
        current = Mutex(level)
        self.hasPriorities = hasPriorities
    }

    package var level: Logger.Level {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Returns true if standard error is the journal's: `JOURNAL_STREAM` names its device and inode.
    package static func isJournal(
        _ stream: String? = ServiceConfiguration.environment("JOURNAL_STREAM"), descriptor: Int32 = 2
    ) -> Bool {
        var state = stat()
        guard let stream, fstat(descriptor, &state) == 0 else { return false }
        return stream == "\(state.st_dev):\(state.st_ino)"
    }

    package func write(_ level: Logger.Level, _ words: String) {
        guard level >= self.level else { return }
        let line = words.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard hasPriorities else { return StandardError.write(line) }
        StandardError.show("<\(ServiceLog.priority(level))>\(ShownText.escaped(Redaction.redacted(line)))\n")
    }

    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// A logger for libraries. Their lines appear only at the level debug and below.
    package var forLibraries: Logger {
        Logger(label: "nearby.box") { _ in Handler(log: self) }
    }

    private struct Handler: LogHandler {
        let log: ServiceLog
        var metadata = Logger.Metadata()
        var logLevel: Logger.Level {
            get { log.level <= .debug ? log.level : .critical }
            set { _ = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            let words = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            // All lines of libraries have the level debug, because the service itself reports what matters of
            // them.
            log.write(.debug, "\(event.message)\(words)")
        }
    }
}
