import AudioIO

/// The reason why a command stops: lines for people and one exit code for scripts.
package struct CommandFailure: Error {
    package var status: ExitStatus
    package var lines: [String]
    /// `true` if writing to standard output failed. The command then ends at once, although it could go on
    /// with another file.
    package var isOfStandardOutput = false

    /// All lines as one text.
    package var message: String { lines.joined(separator: "\n") }

    package init(_ status: ExitStatus, _ message: String) { self.init(status, lines: [message]) }

    package init(_ status: ExitStatus, lines: [String]) {
        self.status = status
        self.lines = lines
    }

    /// Returns `nil` for other errors, which the argument parser reports.
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

    /// Prints the lines on standard error. If the reader of standard output has gone, it prints nothing.
    package func report() {
        guard status != .readerGone else { return }
        for line in lines { StandardError.write(line) }
    }

    /// Ends the program with the exit code. If the reader of standard output has gone, the program ends as if
    /// SIGPIPE had killed it.
    package func exit() -> Never {
        report()
        if status == .readerGone { ProcessConventions.endAsBrokenPipe() }
        ProcessConventions.exit(status)
    }
}
