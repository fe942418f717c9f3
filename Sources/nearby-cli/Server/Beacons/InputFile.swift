import CommandOutput
import FoundationEssentials
import Glibc

/// Bytes that people name: a file, or standard input.
enum InputFile {
    /// - Parameter path: '-' is standard input.
    /// - Parameter limit: no more than these are read.
    ///
    /// Throws: 66 when there is none, 77 without the right to read it, 74.
    static func read(_ path: String, limit: Int) throws(CommandFailure) -> Data {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw CommandFailure(
                errno == EACCES ? .noPermission : .noInput, "\(path): \(FileReason.reading(errno))")
        }
        defer { if file != STDIN_FILENO { close(file) } }
        var (bytes, block) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
        while bytes.count < limit {
            let count = Glibc.read(file, &block, min(block.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    errno == EISDIR ? .noInput : .inputOutput, "\(path): \(FileReason.reading(errno))")
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: block[..<count])
        }
        return bytes
    }
}
