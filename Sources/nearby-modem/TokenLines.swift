import AudioIO
import CommandOutput
import Glibc

/// A reader of tokens, one per line in hexadecimal digits, from a file or a slow pipe. It never waits. Empty
/// lines and those that begin with `#` are no tokens; a byte order mark, blanks and carriage returns are not
/// part of a token.
final class TokenLines {
    enum Next {
        case token([UInt8])
        /// Nothing has arrived.
        case none
        /// A line that is no token, with the reason in words.
        case rejected(String)
        /// Reading failed; nothing more follows.
        case failed(CommandFailure)
        case end
    }

    private static let longestLine = 10_000
    /// UTF-8's byte order mark, which some editors put before the first line.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let path: AudioPath
    private let descriptor: Int32
    private let byteCounts: ClosedRange<Int>
    private var bytes: [UInt8] = []
    private var isAtEnd = false
    private var lineNumber = 0
    private(set) var tokenCount = 0
    private var failure: CommandFailure?

    /// Throws: `.noInput`, `.noPermission`.
    init(_ path: AudioPath, byteCounts: ClosedRange<Int>) throws(CommandFailure) {
        (self.path, self.byteCounts) = (path, byteCounts)
        guard case .file(let name) = path else {
            descriptor = 0
            return
        }
        descriptor = open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason =
                switch errno {
                case EACCES, EPERM: "no permission to read it"
                case ENOENT, ENOTDIR: "no such file; check the name"
                default: "cannot be opened: \(String(cString: strerror(errno)))"
                }
            throw CommandFailure(errno == EACCES ? .noPermission : .noInput, "\(path): \(reason)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(.noInput, "\(path): is a directory; name a file with one token per line")
        }
    }

    /// The error for a list without any token, at its end; `nil` if there was one.
    var emptiness: CommandFailure? {
        guard tokenCount == 0 else { return nil }
        return CommandFailure(.badData, "\(path): holds no token; expected one per line, such as 48656c6c6f")
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    func next() -> Next {
        while true {
            if let line = takeLine() {
                if line.isEmpty || line.hasPrefix("#") { continue }
                do {
                    let token = try TokenArgument.bytes(hex: line, byteCounts: byteCounts)
                    tokenCount += 1
                    return .token(token)
                } catch {
                    return .rejected("\(path): line \(lineNumber): \(error.description); left out")
                }
            }
            if let failure {
                self.failure = nil
                return .failed(failure)
            }
            if isAtEnd { return .end }
            guard hasMore() else { return .none }
            fill()
        }
    }

    /// Returns the next whole line, without blanks at its ends; the last one may lack its line break.
    private func takeLine() -> String? {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        guard end != nil || (isAtEnd && !bytes.isEmpty) || bytes.count > TokenLines.longestLine else {
            return nil
        }
        let line = bytes[..<(end ?? bytes.count)]
        bytes.removeFirst(min(bytes.count, line.count + 1))
        lineNumber += 1
        let mark = lineNumber == 1 && line.starts(with: TokenLines.byteOrderMark)
        let text = String(decoding: line.dropFirst(mark ? TokenLines.byteOrderMark.count : 0), as: UTF8.self)
        return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private func hasMore() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    private func fill() {
        var fresh = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &fresh, fresh.count)
        if count > 0 { bytes += fresh[..<count] }
        if count == 0 { isAtEnd = true }
        guard count < 0, errno != EINTR, errno != EAGAIN else { return }
        let reason =
            errno == EBADF ? "is closed; name a file" : "reading failed: \(String(cString: strerror(errno)))"
        failure = CommandFailure(errno == EBADF ? .noInput : .inputOutput, "\(path): \(reason)")
        isAtEnd = true
    }
}
