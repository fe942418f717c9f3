import Logging
import Nearby

/// A log of what happens inside, in the original's words, while
/// ``GNSMessageManager/setDebugLoggingEnabled(_:)`` enables it.
final class DebugLog: Sendable {
    private static let enabled = Locked(false)

    static var isEnabled: Bool {
        get { enabled.withLock { $0 } }
        set { enabled.withLock { $0 = newValue } }
    }

    private let log: Logger
    private let words = Locked(TraceWords())

    init(_ log: Logger) { self.log = log }

    /// The engine's log, restricted to errors: the debug log says the rest.
    var engineLog: Logger {
        var log = log
        log.logLevel = .error
        return log
    }

    func say(_ line: @autoclosure () -> String) {
        if DebugLog.isEnabled { log.info("\(line())") }
    }

    /// Logs a warning, whether the debug log is enabled or not.
    func warn(_ line: String) { log.warning("\(line)") }

    func note(_ trace: EngineTrace) {
        let lines = words.withLock { $0.take(trace) }
        for line in lines { say(line) }
    }
}
