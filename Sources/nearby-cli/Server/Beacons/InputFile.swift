import CommandOutput
import FoundationEssentials
import Glibc

/// Reads bytes from a file or from standard input.
enum InputFile {
    /// - Parameter path: the file's name; '-' is standard input.
    /// - Parameter limit: the maximum number of bytes to read.
    ///
    /// Throws: 66 if the file cannot be opened, 77 without the right to read it, 74 if reading fails.
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
