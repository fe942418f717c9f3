import AudioIO
import Glibc

/// Data on standard output, line by line. Each line is flushed at once, so that the next program in a pipe
/// sees it.
///
/// A failure here ends the command, because without standard output no work remains.
package enum StandardOutput {
    /// The interval at which ``untilReaderIsGone()`` checks for a reader.
    private static let lookInterval = Duration.milliseconds(250)

    /// `true` if standard output is a pipe or a socket, whose reader may go away; `false` for a file or a
    /// terminal.
    private static let isPipe: Bool = {
        var status = stat()
        guard fstat(1, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }()

    /// `false` once the reader of the pipe or socket has closed it. The check asks the system and never
    /// blocks.
    package static var hasReader: Bool {
        guard isPipe else { return true }
        var output = pollfd(fd: 1, events: 0, revents: 0)
        return poll(&output, 1, 0) <= 0 || output.revents & Int16(POLLERR | POLLHUP) == 0
    }

    /// Throws: 141 if ``hasReader`` is `false`.
    package static func checkReader() throws(CommandFailure) {
        guard hasReader else { throw failure(EPIPE) }
    }

    /// Waits until the reader is gone, and never returns normally. A command that may write nothing for hours
    /// runs it beside its work.
    ///
    /// Throws: 141 within a quarter of a second after ``hasReader`` became `false`; `CancellationError` if
    /// the task is cancelled.
    package static func untilReaderIsGone() async throws {
        while true {
            try checkReader()
            try await Task.sleep(for: isPipe ? lookInterval : .seconds(3600))
        }
    }

    /// Prints one line. ``ShownText`` escapes control characters, so that names from outside cannot command
    /// the terminal.
    ///
    /// Throws: 141 if the reader has gone; 74 if the line cannot be written for another reason.
    package static func write(_ line: String) throws(CommandFailure) { try show(ShownText.escaped(line)) }

    /// Prints a text unchanged: a drawing with its colours, or a text of several lines. Throws: the errors of
    /// ``write(_:)``.
    package static func show(_ text: String) throws(CommandFailure) {
        let isWritten = puts(text) >= 0 && fflush(nil) == 0
        guard isWritten else { throw failure(errno) }
    }

    private static func failure(_ code: Int32) -> CommandFailure {
        var failure =
            switch code {
            case EPIPE: CommandFailure(.readerGone, "standard output: its reader has gone")
            case EBADF:
                CommandFailure(
                    .inputOutput, "standard output is closed; send it to a file, a pipe or /dev/null")
            default:
                CommandFailure(
                    .inputOutput, "standard output: writing failed: \(String(cString: strerror(code)))")
            }
        failure.isOfStandardOutput = true
        return failure
    }
}
