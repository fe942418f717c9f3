import Logging
import ServiceLifecycle
import UnixSignals

/// A service that reads certificate, key and web page again when a signal asks for it.
struct Reloader: Service, CustomStringConvertible {
    let description = "Reloader"
    let signals: UnixSignalsSequence
    /// The certificate and key to reload; `nil` if the server speaks plain HTTP.
    let contexts: TLSContexts?
    /// The web page to reload; `nil` if the server has none.
    let pages: WebPages?
    let logger: Logger

    func run() async throws {
        for await signal in signals.cancelOnGracefulShutdown() {
            if contexts == nil, pages == nil {
                logger.notice("\(signal): nothing to reload without --certificate and --web")
            }
            if let contexts { reload(contexts, signal) }
            if let pages { reload(pages, signal) }
        }
    }

    private func reload(_ contexts: TLSContexts, _ signal: UnixSignal) {
        do {
            try contexts.reload(logger)
            logger.notice("\(signal): new connections use the certificate and key that were just read")
        } catch {
            logger.error("\(signal): certificate and key stay as they were: \(error)")
        }
    }

    private func reload(_ pages: WebPages, _ signal: UnixSignal) {
        do {
            try pages.reload()
            logger.notice("\(signal): the web page is as it was just read")
        } catch {
            logger.error("\(signal): the web page stays as it was: \(error)")
        }
    }
}
