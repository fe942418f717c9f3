import AudioIO

/// Why a command stops: a line for people, or one for each thing that is wrong, and one code for scripts.
package struct CommandFailure: Error {
    package var status: ExitStatus
    package var lines: [String]
    /// Standard output failed: the command ends now, although it could go on with another file.
    package var isOfStandardOutput = false

    /// All lines as one text.
    package var message: String { lines.joined(separator: "\n") }

    package init(_ status: ExitStatus, _ message: String) { self.init(status, lines: [message]) }

    package init(_ status: ExitStatus, lines: [String]) {
        self.status = status
        self.lines = lines
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

    /// Says the lines, but for a reader that has gone: it knows.
    package func report() {
        guard status != .readerGone else { return }
        for line in lines { StandardError.write(line) }
    }

    /// Ends the program with the code; without a reader of its output, as SIGPIPE does.
    package func exit() -> Never {
        report()
        if status == .readerGone { ProcessConventions.endAsBrokenPipe() }
        ProcessConventions.exit(status)
    }
}
