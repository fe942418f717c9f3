import Glibc

/// The signals that ask a program to end: Ctrl-C, `kill`, a terminal that closes.
///
/// A signal that was ignored at the start stays ignored, as POSIX requires of every program. `nohup` ignores
/// SIGHUP so that the program outlives its terminal. A shell without job control ignores SIGINT for the
/// commands that it starts with `&`.
package enum StopSignals {
    private static let all = [SIGINT, SIGTERM, SIGHUP]

    /// The signals that end this program. ``ProcessConventions/adopt()`` evaluates the list first, before any
    /// handler is installed.
    package static let heeded = all.filter { !isIgnored($0) }

    package static func isHeeded(_ number: Int32) -> Bool { heeded.contains(number) }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
