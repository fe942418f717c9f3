import Glibc

/// A file that holds a key, for its owner alone.
package enum SecretFile {
    /// None of ours is longer.
    private static let longestByteCount = 4096

    /// A new file. Throws: 73 when there is one of that name, or none can be made.
    package static func create(_ path: String, _ text: String) throws(CommandFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST {
                throw CommandFailure(
                    .cannotCreate, "\(path): is there already, and stays as it is: name another file")
            }
            throw CommandFailure(.cannotCreate, "\(path): \(reason)")
        }
        let bytes = Array(text.utf8)
        let count = write(file, bytes, bytes.count)
        let isWritten = count == bytes.count && fsync(file) == 0
        guard close(file) == 0, isWritten else {
            let reason = reason
            unlink(path)
            throw CommandFailure(.inputOutput, "\(path): writing failed: \(reason)")
        }
    }

    /// Its text. Says so when others can read it.
    ///
    /// Throws: 66 when there is none, 77 without the right to read it, 65 when it is no text or too long.
    package static func read(_ path: String) throws(CommandFailure) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw CommandFailure(errno == EACCES ? .noPermission : .noInput, "\(path): \(reason)")
        }
        defer { close(file) }
        var state = stat()
        if fstat(file, &state) == 0, state.st_mode & S_IFMT == S_IFREG, state.st_mode & 0o077 != 0 {
            StandardError.write("\(path): others may read or change this key: chmod 600 \(path)")
        }
        let bytes = try bytes(of: file, path)
        guard bytes.count <= longestByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "\(path): is no key file: 'nearby offline create' makes one")
        }
        return text
    }

    /// At most one more than are allowed.
    private static func bytes(of file: Int32, _ path: String) throws(CommandFailure) -> [UInt8] {
        var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: longestByteCount + 1))
        while bytes.count <= longestByteCount {
            let count = Glibc.read(file, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(errno == EISDIR ? .noInput : .inputOutput, "\(path): \(reason)")
            }
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        return bytes
    }

    /// Why the last call failed.
    private static var reason: String { String(cString: strerror(errno)) }
}
