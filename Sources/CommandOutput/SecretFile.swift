import FileNames
import Glibc

/// A file that holds a key, for its owner alone.
package enum SecretFile {
    /// None of ours is longer.
    private static let longestByteCount = 4096

    /// A new file. Throws: 73 when there is one of that name, or none can be made; 74 when the text cannot be written, and then the file
    /// is gone.
    package static func create(_ path: String, _ text: String) throws(CommandFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST {
                throw CommandFailure(
                    .cannotCreate, "\(path): is there already, and stays as it is: name another file")
            }
            throw CommandFailure(.cannotCreate, "\(path): \(FileReason.creating(errno))")
        }
        defer { close(file) }
        let bytes = Array(text.utf8)
        let count = Glibc.write(file, bytes, bytes.count)
        guard count == bytes.count, fsync(file) == 0 else {
            let reason = SecretFile.reason
            unlink(path)
            throw CommandFailure(.inputOutput, "\(path): writing failed: \(reason)")
        }
    }

    /// Its text. Says so when others can read it.
    ///
    /// - Parameter path: `-` is standard input.
    ///
    /// Throws: 66 when there is none, 77 without the right to read it, 65 when it is no text or too long.
    package static func read(_ path: String) throws(CommandFailure) -> String {
        guard !Redaction.hasKey(path) else {
            throw CommandFailure(
                .noInput, "a file's name is wanted, and this looks like the key itself: put it in a file")
        }
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw CommandFailure(
                errno == EACCES ? .noPermission : .noInput, "\(path): \(FileReason.reading(errno))")
        }
        defer { close(file) }
        var state = stat()
        if path != "-", fstat(file, &state) == 0, let warning = warning(path, state) {
            StandardError.write(warning)
        }
        let bytes = try bytes(of: file, path)
        guard bytes.count <= longestByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                .badData, "\(path): is no key file: a text of at most \(longestByteCount) bytes is wanted")
        }
        return text
    }

    /// The one word in it: a key or a URL, without the blanks and line breaks about it. No line has it in it from then on.
    ///
    /// Throws: as ``read(_:)``; 65 when it is empty, or has more than one word.
    package static func word(_ path: String) throws(CommandFailure) -> String {
        let words = try read(path).split(whereSeparator: \.isWhitespace)
        for word in words {
            Redaction.learn(String(word))
            Redaction.learnPassword(ofURL: String(word))
        }
        guard let word = words.first else {
            throw CommandFailure(.badData, "\(path): is empty, and one word is expected: a key")
        }
        guard words.count == 1, isPlain(word) else {
            throw CommandFailure(
                .badData, "\(path): one word alone is wanted, in letters, digits and signs of ASCII")
        }
        return String(word)
    }

    /// Whether a key or a URL can be sent as it is.
    package static func isPlain(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// A line for people when others than its owner may read or change a file; nil when they may not, or when it is no file.
    package static func warning(_ path: String) -> String? {
        var state = stat()
        return stat(path, &state) == 0 ? warning(path, state) : nil
    }

    private static func warning(_ path: String, _ state: stat) -> String? {
        guard state.st_mode & S_IFMT == S_IFREG, state.st_mode & 0o077 != 0 else { return nil }
        return "\(path): others may read or change this key: chmod 600 \(path)"
    }

    /// At most one more than are allowed.
    private static func bytes(of file: Int32, _ path: String) throws(CommandFailure) -> [UInt8] {
        guard let bytes = readRest(of: file, upTo: longestByteCount + 1) else {
            throw CommandFailure(
                errno == EISDIR ? .noInput : .inputOutput, "\(path): \(FileReason.reading(errno))")
        }
        return bytes
    }

    /// Why the last call failed.
    private static var reason: String { String(cString: strerror(errno)) }
}
