import Glibc

/// Data, line by line, flushed at once so that the next program in a pipe sees it.
package enum StandardOutput {
    /// Throws: 74 when the line cannot be written.
    package static func write(_ line: String) throws(CommandFailure) {
        let isWritten = puts(line) >= 0 && fflush(nil) == 0
        guard isWritten else {
            throw CommandFailure(
                .inputOutput, "standard output: writing failed: \(String(cString: strerror(errno)))")
        }
    }
}
