import Logging
import ServiceLifecycle
import UnixSignals

/// Reads certificate and key again when a signal asks for it.
struct Reloader: Service, CustomStringConvertible {
    let description = "Reloader"
    let signals: UnixSignalsSequence
    /// Reads the files; nil when the server speaks plain HTTP.
    let contexts: TLSContexts?
    let logger: Logger

    func run() async throws {
        for await signal in signals.cancelOnGracefulShutdown() {
            guard let contexts else {
                logger.notice("\(signal): nothing to reload without --certificate")
                continue
            }
            do {
                try contexts.reload(logger)
                logger.notice("\(signal): new connections use the certificate and key that were just read")
            } catch {
                logger.error("\(signal): certificate and key stay as they were: \(error)")
            }
        }
    }
}
