/// A word in a form that a shell reads back.
enum ShellWord {
    /// Quotes a word only if that is needed. Bytes that are not UTF-8 and characters that would command a
    /// terminal are written as `$'\xe9'`, which bash, zsh and ksh understand.
    static func quoted(_ word: String) -> String {
        if !word.isEmpty && word.utf8.allSatisfy(plain.contains) { return word }
        guard ShownText.escaped(word) == word else {
            let bytes = FileName.bytes(word).map { byte in
                plain.contains(byte)
                    ? String(Unicode.Scalar(byte)) : "\\x\(ShownText.hex(UInt32(byte), digits: 2))"
            }
            return "$'\(bytes.joined())'"
        }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: "'\\''"))'"
    }

    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_".utf8)
}
