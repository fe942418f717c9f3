import Glibc

/// The words of the command line. ``FileName`` defines the form of bytes that are not UTF-8.
package enum ProgramArguments {
    package static let all: [String] = (0..<Int(CommandLine.argc)).compactMap { index in
        CommandLine.unsafeArgv[index].map { FileName.text(UnsafePointer($0)) }
    }

    /// Options of file commands whose value is a text and not a file name.
    private static let textOptions: Set<String> = ["--project", "--name", "--server", "--key"]

    /// Checks a word that is not UTF-8.
    ///
    /// Throws: 64 if the word is not a file name. Any other text would change if its bytes were replaced.
    static func requireFileName(
        _ words: [String], _ index: Int, options: Set<String>, commands: Set<String>
    ) throws(CommandFailure) {
        let word = words[index]
        if word.hasPrefix("-"), let sign = word.firstIndex(of: "=") {
            let option = String(word[..<sign])
            if options.contains(option), !FileName.hasRawBytes(option) { return }
            throw rejection(option)
        }
        let before = index > 0 ? words[index - 1] : ""
        if options.contains(before) { return }
        let isOfFiles = commands.contains { words.starts(with: $0.split(separator: " ").map(String.init)) }
        if isOfFiles, !textOptions.contains(before) { return }
        throw rejection(before.hasPrefix("-") ? before : word)
    }

    private static func rejection(_ words: String) -> CommandFailure {
        CommandFailure(
            .usage,
            "\(words): is not UTF-8; only names of files may have another encoding; check the terminal's")
    }
}
