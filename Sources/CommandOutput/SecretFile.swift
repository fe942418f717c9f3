import FileNames
import Glibc

/// A file with a key that only its owner may read.
package enum SecretFile {
    /// The maximum length in bytes; no key file of these programs is longer.
    private static let longestByteCount = 4096

    /// Creates a new file.
    ///
    /// Throws: 73 if a file of that name exists or none can be created; 74 if the text cannot be written.
    /// After a 74 the file is removed.
    package static func create(_ path: String, _ text: String) throws(CommandFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            if errno == EEXIST {
                throw CommandFailure(
                    .cannotCreate, "\(path): already exists and was not changed; name another file")
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

    /// Reads the text of the file. It prints a warning if others may read or change the file.
    ///
    /// - Parameter path: the file's name; `-` is standard input.
    ///
    /// Throws: 66 if the file cannot be opened or its name looks like a key, 77 without the right to read it,
    /// 74 if reading fails, 65 if the content is not UTF-8 or too long.
    package static func read(_ path: String) throws(CommandFailure) -> String {
        guard !Redaction.hasKey(path) else {
            throw CommandFailure(
                .noInput, "expected a file's name, but this looks like the key itself; put it in a file")
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
                .badData, "\(path): is not a key file; expected a text of at most \(longestByteCount) bytes")
        }
        return text
    }

    /// Reads the only word in the file, a key or a URL, without surrounding whitespace. ``Redaction`` removes
    /// the word from every later line.
    ///
    /// Throws: 65 if the file is empty, or has more than one word, or a character beyond printable ASCII; the
    /// errors of ``read(_:)``.
    package static func word(_ path: String) throws(CommandFailure) -> String {
        let words = try read(path).split(whereSeparator: \.isWhitespace)
        for word in words {
            Redaction.learn(String(word))
            Redaction.learnPassword(ofURL: String(word))
        }
        guard let word = words.first else {
            throw CommandFailure(.badData, "\(path): is empty; expected a key, which is one word")
        }
        guard words.count == 1, isPlain(word) else {
            throw CommandFailure(
                .badData, "\(path): expected one word of ASCII letters, digits and signs")
        }
        return String(word)
    }

    /// Returns `true` if a key or a URL consists of printable ASCII without blanks, so that it can be sent
    /// unchanged.
    package static func isPlain(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Returns a warning if others than the owner may read or change a file; `nil` if they may not, or if it
    /// is not a regular file.
    package static func warning(_ path: String) -> String? {
        var state = stat()
        return stat(path, &state) == 0 ? warning(path, state) : nil
    }

    private static func warning(_ path: String, _ state: stat) -> String? {
        guard state.st_mode & S_IFMT == S_IFREG, state.st_mode & 0o077 != 0 else { return nil }
        return "\(path): others may read or change this key: chmod 600 \(path)"
    }

    /// Reads at most one byte more than the maximum length.
    private static func bytes(of file: Int32, _ path: String) throws(CommandFailure) -> [UInt8] {
        guard let bytes = readRest(of: file, upTo: longestByteCount + 1) else {
            throw CommandFailure(
                errno == EISDIR ? .noInput : .inputOutput, "\(path): \(FileReason.reading(errno))")
        }
        return bytes
    }

    /// The reason why the last system call failed.
    private static var reason: String { String(cString: strerror(errno)) }
}
