/// A word as a POSIX shell reads it back.
enum ShellWord {
    /// Quoted only where that is needed.
    static func quoted(_ word: String) -> String {
        let plain = Set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_".unicodeScalars)
        if !word.isEmpty && word.unicodeScalars.allSatisfy(plain.contains) { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
