import Glibc

/// The treatment of the signals and standard streams that a program inherits from its parent process. The
/// README of this target states the whole rule. The code in `standard_streams.c` handles closed streams
/// before any Swift code runs.
package enum ProcessConventions {
    /// `true` if SIGPIPE was ignored when the program started.
    private static let ignoresBrokenPipe = StopSignals.isIgnored(SIGPIPE)

    /// Applies the conventions. Call it once, before the program opens a file or installs a signal handler.
    package static func adopt() {
        _ = (StopSignals.heeded, ignoresBrokenPipe)
        // A write then fails with an error instead of a signal, so that a recording is still finished.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Ends the program as if SIGPIPE had killed it. If SIGPIPE was ignored at the start, the program exits
    /// with 141.
    static func endAsBrokenPipe() -> Never {
        if !ignoresBrokenPipe {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        exit(.readerGone)
    }

    static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }

    /// Exits with 0, because the command has done its work.
    static func exitDone() -> Never { Glibc.exit(0) }
}
