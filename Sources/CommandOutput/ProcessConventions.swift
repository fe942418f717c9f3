import Glibc

/// What every program of this package does with what it inherits from whoever started it: signals and standard streams. The whole
/// rule is in this target's README. Closed streams are seen to in `standard_streams.c`, before anything of Swift runs.
package enum ProcessConventions {
    /// Whether SIGPIPE was ignored when the program started.
    private static let ignoresBrokenPipe = StopSignals.isIgnored(SIGPIPE)

    /// Called once, before anything is opened and before any other signal handler.
    package static func adopt() {
        _ = (StopSignals.heeded, ignoresBrokenPipe)
        // Both come back as an error of the call that writes: a recording is still finished then.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// As a program ends that SIGPIPE kills.
    static func endAsBrokenPipe() -> Never {
        if !ignoresBrokenPipe {
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        exit(.readerGone)
    }

    static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }

    /// The command has done its work.
    static func exitDone() -> Never { Glibc.exit(0) }
}
