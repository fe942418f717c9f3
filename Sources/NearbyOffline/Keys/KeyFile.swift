import Nearby

/// The text of a file with a project's or a publisher's key. Each line consists of a word and a value; lines
/// that begin with `#` are comments.
///
///     # Whoever has this file reads what the devices of the project say, and can say it too.
///     project shop
///     key wDLg…           32 bytes, base64url
///
///     # Whoever has this file publishes as its owner, whose public key is 5Xc1…
///     signer k2Fh…        32 bytes, base64url
struct KeyFile {
    private var values: [Substring: Substring] = [:]

    /// - Parameter words: the words, each of which must occur exactly once.
    init(_ text: String, words: [String]) throws(KeyFileError) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
            .enumerated()
        {
            let parts = line.split(maxSplits: 1, whereSeparator: { $0.isWhitespace })
            guard let word = parts.first, !word.hasPrefix("#") else { continue }
            guard words.contains(String(word)), parts.count == 2 else {
                throw .otherLine(number: index + 1, words: words)
            }
            guard values[word] == nil else { throw .twice(word: String(word)) }
            values[word] = parts[1]
        }
        for word in words where values[Substring(word)] == nil { throw .missing(word: word) }
    }

    /// Returns the value after a word.
    func text(_ word: String) -> String {
        var text = values[Substring(word), default: ""]
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }

    /// Returns the bytes after a word. Throws: `.notBytes` unless they are 32.
    func bytes(_ word: String) throws(KeyFileError) -> [UInt8] {
        guard let bytes = Base64.bytes(ofURLText: text(word)), bytes.count == 32 else {
            throw .notBytes(word: word)
        }
        return bytes
    }
}

/// A reason why a text is not a key file. It reveals nothing of the text's secrets.
public indirect enum KeyFileError: Error, Hashable, Sendable {
    /// A line is neither empty nor a comment, and does not consist of one of these words with a value. Line
    /// numbers start at 1.
    case otherLine(number: Int, words: [String])
    /// A second line begins with this word.
    case twice(word: String)
    /// No line begins with this word.
    case missing(word: String)
    /// The value after this word is not 32 bytes in base64url.
    case notBytes(word: String)
}

extension KeyFileError: CustomStringConvertible {
    /// One line that says what was expected and what came.
    public var description: String {
        switch self {
        case .otherLine(let number, let words):
            "line \(number) begins with neither '#' nor \(words.map { "'\($0)'" }.joined(separator: " nor "))"
        case .twice(let word): "two lines begin with '\(word)': there is to be one"
        case .missing(let word): "no line begins with '\(word)'"
        case .notBytes(let word):
            "after '\(word)' come 43 letters, digits, '-' and '_', and here something else"
        }
    }
}

extension OfflineProject {
    /// Creates a project with a new key. Two projects with one name have nothing in common.
    public init(name: String, random: inout some RandomNumberGenerator) {
        let key = (0..<OfflineProject.keyByteCount / 8).flatMap { _ in random.next().bigEndianBytes }
        guard let project = OfflineProject(name: name, key: key) else {
            preconditionFailure("it has 32 bytes")
        }
        self = project
    }

    /// Throws: ``KeyFileError`` if the text is not a key file.
    public init(keyFile text: String) throws(KeyFileError) {
        let file = try KeyFile(text, words: ["project", "key"])
        guard let project = OfflineProject(name: file.text("project"), key: try file.bytes("key")) else {
            throw .notBytes(word: "key")
        }
        self = project
    }

    /// The text of a key file with this project, which must be kept secret. A name with a line break, or with
    /// spaces at an end, does not survive.
    public var keyFile: String {
        """
        # Whoever has this file reads what the devices of the project say, and can say it too.
        project \(name)
        key \(Base64.urlText(key))

        """
    }
}
