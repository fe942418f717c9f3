import AudioIO
import Glibc

/// Data, line by line, flushed at once so that the next program in a pipe sees it.
///
/// Without standard output there is nothing left to do: a failure here ends the command, whatever else it could still read.
package enum StandardOutput {
    /// How often ``untilReaderIsGone()`` looks.
    private static let lookInterval = Duration.milliseconds(250)

    /// Whether somebody else may go away who reads: false for a file and a terminal.
    private static let isPipe: Bool = {
        var status = stat()
        guard fstat(1, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }()

    /// False once whoever read standard output, a pipe or a socket, has closed it. Asks the system; never waits.
    package static var hasReader: Bool {
        guard isPipe else { return true }
        var output = pollfd(fd: 1, events: 0, revents: 0)
        return poll(&output, 1, 0) <= 0 || output.revents & Int16(POLLERR | POLLHUP) == 0
    }

    /// Throws: 141 once ``hasReader`` is false.
    package static func checkReader() throws(CommandFailure) {
        guard hasReader else { throw failure(EPIPE) }
    }

    /// Returns never; for a command that may have nothing to write for hours, beside its work.
    ///
    /// Throws: 141 within a quarter of a second after ``hasReader`` became false; when its task is cancelled.
    package static func untilReaderIsGone() async throws {
        while true {
            try checkReader()
            try await Task.sleep(for: isPipe ? lookInterval : .seconds(3600))
        }
    }

    /// Names from outside that are in it cannot command the terminal: see ``ShownText``.
    ///
    /// Throws: 141 when nobody reads any more, 74 when the line cannot be written for another reason.
    package static func write(_ line: String) throws(CommandFailure) { try show(ShownText.escaped(line)) }

    /// As it is: for drawings, with their colours, and for texts of several lines. Throws: as ``write(_:)``.
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
