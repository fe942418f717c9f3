import AudioIO

/// Why a command stops: one line for people, one code for scripts.
package struct CommandFailure: Error {
    package var status: ExitStatus
    package var message: String
    /// Standard output failed: the command ends now, although it could go on with another file.
    package var isOfStandardOutput = false

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Nil for errors that are the argument parser's to tell.
    package init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as AudioIOError:
            self.init(error.exitStatus, error.description)
            isOfStandardOutput = error.kind == .readerGone
        case let error as any ExitStatusBearing: self.init(error.exitStatus, error.description)
        default: return nil
        }
    }

    /// Says the line, but for a reader that has gone: it knows.
    package func report() {
        if status != .readerGone { StandardError.write(message) }
    }

    /// Ends the program with the code; without a reader of its output, as SIGPIPE does.
    package func exit() -> Never {
        report()
        if status == .readerGone { ProcessConventions.endAsBrokenPipe() }
        ProcessConventions.exit(status)
    }
}
