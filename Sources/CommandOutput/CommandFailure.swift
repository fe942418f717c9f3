/// Why a command stops: one line for people, one code for scripts.
package struct CommandFailure: Error {
    package var status: ExitStatus
    package var message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Nil for errors that are the argument parser's to tell.
    package init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any ExitStatusBearing: self.init(error.exitStatus, "\(error)")
        default: return nil
        }
    }

    package func report() { StandardError.write(message) }
}
