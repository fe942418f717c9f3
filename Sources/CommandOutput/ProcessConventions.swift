import Glibc

/// What every program of this package does with what it inherits from whoever started it: signals and standard streams. The whole
/// rule is in this target's README.
package enum ProcessConventions {
    /// Whether SIGPIPE was ignored when the program started.
    private static let ignoresBrokenPipe = StopSignals.isIgnored(SIGPIPE)

    /// Called once, before anything is opened and before any other signal handler.
    package static func adopt() {
        _ = (StopSignals.heeded, ignoresBrokenPipe)
        // Both come back as an error of the call that writes: a recording is still finished then.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        occupyStandardStreams()
    }

    /// A standard stream that is closed gets a descriptor on which every read or write that it is for fails. Otherwise the next file
    /// that is opened takes its number, and tokens go into a recording. Words for nobody are dropped.
    private static func occupyStandardStreams() {
        for (stream, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)]
        where fcntl(stream, F_GETFD) < 0 {
            // The lowest free number is this stream's: those below it are open by now.
            _ = open("/dev/null", mode)
        }
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
}
