import Synchronization

/// Keeps secrets out of lines for people. It replaces the keys and passwords that this process was given, and
/// every text that looks like one.
///
/// Errors are written without secrets where they arise. This is the second line of defence, against texts
/// from libraries, servers and the argument parser.
package enum Redaction {
    private static let known = Mutex<Set<String>>([])
    /// The length in bytes below which a text is not learned, because it occurs in too many unrelated lines.
    private static let shortest = 4

    /// Removes this text from every later line.
    package static func learn(_ secret: String) {
        guard secret.utf8.count >= shortest else { return }
        _ = known.withLock { $0.insert(secret) }
    }

    /// Removes the password of this URL from every later line.
    package static func learnPassword(ofURL text: String) {
        guard let password = URLPassword.find(in: text) else { return }
        learn(password)
        learn(URLPassword.decoded(password))
    }

    /// Returns the line with `…` in place of each secret.
    package static func redacted(_ line: String) -> String {
        var line = line
        // The longest secret comes first, because a secret may be a part of another one.
        for secret in known.withLock({ $0.sorted { $0.utf8.count > $1.utf8.count } }) {
            line = replacing(secret, in: line)
        }
        return withoutPasswords(withoutKeys(line))
    }

    /// Returns `true` if a text contains an API key or a device's secret.
    package static func hasKey(_ text: String) -> Bool { withoutKeys(text) != text }

    /// Replaces every occurrence of a secret. This target does without Foundation, which has such a function.
    private static func replacing(_ secret: String, in line: String) -> String {
        let (needle, all) = (Array(secret.utf8), Array(line.utf8))
        guard all.count >= needle.count else { return line }
        var (bytes, n, isFound) = ([UInt8](), 0, false)
        while n < all.count {
            if all[n...].starts(with: needle) {
                bytes += Array("…".utf8)
                n += needle.count
                isFound = true
            } else {
                bytes.append(all[n])
                n += 1
            }
        }
        return isFound ? String(decoding: bytes, as: UTF8.self) : line
    }

    /// `nbk_1_m3Xy…` becomes `nbk_1_…`.
    private static func withoutKeys(_ line: String) -> String {
        let all = Array(line.utf8)
        var (bytes, n) = ([UInt8](), 0)
        while n < all.count {
            let rest = all[n...]
            let kind = rest.prefix(4)
            guard kind.starts(with: "nb".utf8), kind.count == 4, kind.last == UInt8(ascii: "_") else {
                bytes.append(all[n])
                n += 1
                continue
            }
            let digits = rest.dropFirst(4).prefix { isDigit($0) }
            let start = digits.endIndex + 1
            guard !digits.isEmpty, start < all.count, all[start - 1] == UInt8(ascii: "_") else {
                bytes += kind
                n += 4
                continue
            }
            let secret = all[start...].prefix { isWord($0) }
            bytes += all[n..<start]
            if !secret.isEmpty { bytes += Array("…".utf8) }
            n = secret.endIndex
        }
        return bytes.count == all.count && bytes == all ? line : String(decoding: bytes, as: UTF8.self)
    }

    /// `postgres://anna:word@host` becomes `postgres://…@host`; `password=word` becomes `password=…`.
    private static func withoutPasswords(_ line: String) -> String {
        let words = line.split(omittingEmptySubsequences: false) { " \"'".contains($0) }
        guard words.contains(where: { $0.contains("://") || $0.contains("password=") }) else { return line }
        var result = ""
        var end = line.startIndex
        for word in words {
            result += line[end..<word.startIndex]
            result += URLPassword.withoutPassword(word)
            end = word.endIndex
        }
        return result
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }
}
