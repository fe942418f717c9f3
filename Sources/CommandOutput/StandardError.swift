import Glibc

/// Lines for people on standard error, each with the program's name before it.
package enum StandardError {
    package static var isTerminal: Bool { isatty(2) == 1 }

    /// Prints one line without the secrets that ``Redaction`` knows. ``ShownText`` escapes line breaks and
    /// control characters.
    package static func write(_ line: String) {
        show("\(program): \(ShownText.escaped(Redaction.redacted(line)))\n")
    }

    /// The name by which the program was called, without its directory.
    private static let program =
        ShownText.escaped(ProgramArguments.all.first?.split(separator: "/").last.map(String.init) ?? "nearby")

    /// Writes a text unchanged, for a line that is redrawn again and again.
    package static func show(_ text: String) {
        // A failure to write to standard error cannot be reported anywhere.
        _ = text.utf8.withContiguousStorageIfAvailable { Glibc.write(2, $0.baseAddress, $0.count) }
    }

    /// Runs `body` and discards everything that libraries write to standard error meanwhile.
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
