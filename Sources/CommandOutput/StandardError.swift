import Glibc

/// Words for people, one line at a time, each with the command's name before it.
package enum StandardError {
    package static var isTerminal: Bool { isatty(2) == 1 }

    /// Without the secrets that ``Redaction`` knows of, and on one line whatever is in it: see ``ShownText``.
    package static func write(_ line: String) {
        show("\(program): \(ShownText.escaped(Redaction.redacted(line)))\n")
    }

    /// As it was called, without its directory.
    private static let program =
        ShownText.escaped(ProgramArguments.all.first?.split(separator: "/").last.map(String.init) ?? "nearby")

    /// As it is: for a line that is drawn again and again.
    package static func show(_ text: String) {
        // There is nowhere left to report that standard error itself cannot be written to.
        _ = text.utf8.withContiguousStorageIfAvailable { Glibc.write(2, $0.baseAddress, $0.count) }
    }

    /// Runs `body` with what libraries behind plugins have to say thrown away.
    package static func whileSilent<Result>(_ body: () -> Result) -> Result {
        let kept = dup(2)
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        if kept >= 0, nowhere >= 0 { dup2(nowhere, 2) }
        defer {
            if kept >= 0 { dup2(kept, 2) }
            for descriptor in [kept, nowhere] where descriptor >= 0 { close(descriptor) }
        }
        return body()
    }
}
