import AcousticModem
import AudioIO

/// Why a command stops: one line for people, one code for scripts.
struct CommandFailure: Error {
    var status: ExitStatus
    var message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Nil for errors that are the argument parser's to tell.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as AudioIOError: self.init(ExitStatus(error.kind), error.description)
        case let error as TokenError: self.init(.usage, error.description)
        default: return nil
        }
    }

    func report() { StandardError.write(message) }
}
