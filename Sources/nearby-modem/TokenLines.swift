import AudioIO
import CommandOutput
import Glibc

/// Tokens, one a line in hexadecimal digits, from a file or a pipe that may take its time. Never waits.
final class TokenLines {
    enum Next {
        case token([UInt8])
        /// Nothing has come.
        case none
        /// A line that is no token, in words.
        case rejected(String)
        case end
    }

    private static let longestLine = 10_000

    private let path: AudioPath
    private let descriptor: Int32
    private let byteCounts: ClosedRange<Int>
    private var bytes: [UInt8] = []
    private var isAtEnd = false
    private var lineNumber = 0

    /// Throws: no such input, no permission.
    init(_ path: AudioPath, byteCounts: ClosedRange<Int>) throws(CommandFailure) {
        (self.path, self.byteCounts) = (path, byteCounts)
        guard case .file(let name) = path else {
            descriptor = 0
            return
        }
        descriptor = open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(
                errno == EACCES ? .noPermission : .noInput, "\(name): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    func next() -> Next {
        while true {
            if let line = takeLine() {
                if line.isEmpty { continue }
                do {
                    return .token(try TokenArgument.bytes(hex: line, byteCounts: byteCounts))
                } catch {
                    return .rejected("\(path): line \(lineNumber): \(error); left out")
                }
            }
            if isAtEnd { return .end }
            guard hasMore() else { return .none }
            fill()
        }
    }

    /// The next whole line, without blanks at its ends; the last one may lack its end.
    private func takeLine() -> String? {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        guard end != nil || (isAtEnd && !bytes.isEmpty) || bytes.count > TokenLines.longestLine else {
            return nil
        }
        let line = bytes[..<(end ?? bytes.count)]
        bytes.removeFirst(min(bytes.count, line.count + 1))
        lineNumber += 1
        let text = String(decoding: line, as: UTF8.self)
        return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private func hasMore() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    private func fill() {
        var fresh = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &fresh, fresh.count)
        if count > 0 { bytes += fresh[..<count] } else if count == 0 || errno != EINTR { isAtEnd = true }
    }
}
